-- A removed picture can be made again for 30 days, under its old Id and with its versions.
create table flowchart_removed (
    "Id" bigint primary key,
    "EnterpriseId" bigint not null references enterprise on delete cascade,
    "ProjectId" bigint not null,
    "FlowchartName" text not null,
    "Row" jsonb not null,
    "Scene" jsonb not null,
    "Stamp" bigint not null,
    "RemoveTime" timestamptz not null default now()
);
select penstock_tenant_table('flowchart_removed');
create index flowchart_removed_company on flowchart_removed ("EnterpriseId", "RemoveTime");
create index flowchart_removed_time on flowchart_removed ("RemoveTime");

-- Versions outlive their picture until it is forgotten.
do $$
declare made text;
begin
    for made in select conname from pg_constraint where conrelid = 'flowchart_version'::regclass and contype = 'f'
        and confrelid in ('flowchart'::regclass, 'enterprise'::regclass)
    loop
        execute format('alter table flowchart_version drop constraint %I', made);
    end loop;
end $$;
alter table flowchart_version add foreign key ("EnterpriseId") references enterprise on delete cascade;

create function penstock_keep_flowchart() returns trigger language plpgsql as $$
begin
    insert into flowchart_removed ("Id", "EnterpriseId", "ProjectId", "FlowchartName", "Row", "Scene", "Stamp")
    select old."Id", old."EnterpriseId", old."ProjectId", old."FlowchartName", to_jsonb(old), d."Scene", d."Stamp"
    from flowchart_draft d where d."FlowchartId" = old."Id";
    return old;
end $$;
create trigger flowchart_kept before delete on flowchart for each row execute function penstock_keep_flowchart();
