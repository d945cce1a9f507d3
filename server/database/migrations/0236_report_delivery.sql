-- Reports at the end of shifts, to addresses outside, in the language of each reader, and by links that need no sign-in.
alter table report_schedule
    add "Trigger" text not null default 'clock',
    add "ProjectId" bigint,
    add "Outside" jsonb not null default '[]',
    add "SendAs" text not null default 'file',
    add constraint "report_schedule_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id");
create index report_schedule_project on report_schedule ("ProjectId") where "ProjectId" is not null;

alter table report_run
    add "Files" jsonb,
    add "OpenLinks" smallint not null default 0,
    -- The shift that it is about.
    add "ShiftName" text;

create table report_link (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ReportRunId" bigint not null,
    -- To whom it was sent, as the list of deliveries calls it.
    "Receiver" text not null,
    "Language" text not null,
    "TokenHash" bytea not null unique,
    "ValidTo" timestamptz not null,
    "Opens" integer not null default 0,
    "OpenTime" timestamptz,
    "CreateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "report_link_ReportRunId_fkey" foreign key ("EnterpriseId", "ReportRunId") references report_run ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('report_link');
create index report_link_run on report_link ("ReportRunId");

-- A plan of shifts that changes: its schedules look again when the next shift ends.
create function penstock_shift_schedules() returns trigger language plpgsql as $$
begin
    update report_schedule set "NextTime" = least("NextTime", now())
    where "Trigger" = 'shift' and "Status" = 1 and "ProjectId" in (old."ProjectId", new."ProjectId");
    return null;
end $$;
create trigger shift_plan_schedules after insert or update or delete on shift_plan for each row execute function penstock_shift_schedules();
