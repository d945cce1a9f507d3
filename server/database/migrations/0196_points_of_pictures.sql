-- The points that a drawing names, so that each point can say where it is drawn: '#12' is a point by Id, '7.Speed' one by its device and
-- name. Filled when a drawing is written.
alter table flowchart_draft add column "PointKeys" text[] not null default '{}';
alter table flowchart_version add column "PointKeys" text[] not null default '{}';

create function pg_temp.point_keys(scene jsonb) returns text[] language sql as $$
    with expression as (
        select jsonb_path_query(scene, '$.items.**.of') #>> '{}' as said
        union select jsonb_path_query(scene, '$.items.**.when') #>> '{}'
        union select jsonb_path_query(scene, '$.items.alarms[*]') #>> '{}'
    ), parameter as (
        select p ->> 'name' as name, p ->> 'value' as device from jsonb_array_elements(coalesce(scene -> 'parameters', '[]')) p
        where p ->> 'type' = 'device'
    ), key as (
        select '#' || m[1] as key from expression, regexp_matches(said, '#(\d{1,15})', 'g') m
        union
        select device || '.' || m[2] from expression, regexp_matches(said, '\{([^{}.]+)\.([^{}]+)\}', 'g') m
        join parameter on parameter.name = m[1] where device is not null
    )
    select coalesce(array_agg(key), '{}') from key
$$;
update flowchart_draft set "PointKeys" = pg_temp.point_keys("Scene");
update flowchart_version set "PointKeys" = pg_temp.point_keys("Scene");
drop function pg_temp.point_keys(jsonb);

create index on flowchart_draft using gin ("PointKeys");
create index on flowchart_version using gin ("PointKeys");
