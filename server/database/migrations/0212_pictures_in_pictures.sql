-- The pictures that a drawing shows inside or leads to, so that none of them is removed under it.
do $$
declare drawing text;
begin
    foreach drawing in array array['flowchart_draft', 'flowchart_version', 'flow_chart_template'] loop
        execute format('alter table %I add column "Pictures" jsonb generated always as (
            jsonb_path_query_array("Scene", %L) || jsonb_path_query_array("Scene", %L)) stored',
            drawing, '$.items[*] ? (@.kind == "view").picture', '$.items[*].acts[*].picture');
    end loop;
end $$;
