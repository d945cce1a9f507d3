-- Reports of one's own, when they are made, and those that were made.
create table report_template (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TemplateName" text not null,
    "Heading" text,
    "GroupId" bigint not null,
    "Period" text not null default 'day',
    "Blocks" jsonb not null default '[]',
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "report_template_TemplateName_key" unique ("EnterpriseId", "TemplateName"),
    constraint "report_template_GroupId_fkey" foreign key ("EnterpriseId", "GroupId") references report_group ("EnterpriseId", "Id")
);
select penstock_tenant_table('report_template');
create index report_template_group on report_template ("GroupId");

create table report_schedule (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ScheduleName" text not null,
    "ReportTemplateId" bigint not null,
    "Cron" text not null default '0 0 6 * * ?',
    "WaitMinutes" integer not null default 0,
    "Format" text not null default 'pdf',
    "Language" text not null default 'en',
    "Receivers" jsonb not null default '[]',
    "Keep" integer not null default 31,
    "Status" smallint not null default 1,
    "NextTime" timestamptz,
    "Reason" text,
    "UserId" bigint references "user" on delete set null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "report_schedule_ScheduleName_key" unique ("EnterpriseId", "ScheduleName"),
    constraint "report_schedule_ReportTemplateId_fkey" foreign key ("EnterpriseId", "ReportTemplateId") references report_template ("EnterpriseId", "Id")
);
select penstock_tenant_table('report_schedule');
create index report_schedule_template on report_schedule ("ReportTemplateId");
create index report_schedule_user on report_schedule ("UserId");
create index report_schedule_due on report_schedule ("NextTime") where "Status" = 1;

create table report_run (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "FileName" text,
    "ScheduleId" bigint,
    "PeriodStart" timestamptz not null,
    "PeriodEnd" timestamptz not null,
    "Version" integer not null default 1,
    "Status" smallint not null default 0,
    "Reason" text,
    "Format" text not null,
    "Language" text not null default 'en',
    "FileBytes" bigint,
    "Sha256" text,
    "Coverage" double precision,
    "LatePoints" integer not null default 0,
    "ByHand" smallint not null default 0,
    "Deliveries" jsonb,
    "ReleasedRoles" jsonb not null default '[]',
    "ReleasedOrgans" jsonb not null default '[]',
    "UserId" bigint references "user" on delete set null,
    -- What it was made of, for another version; its points, and how many readings of each it had.
    "Content" jsonb,
    "ParaIds" jsonb not null default '[]',
    "Counts" jsonb,
    "MadeTime" timestamptz,
    "CheckTime" timestamptz,
    "LeaseBy" text,
    "LeaseUntil" timestamptz,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "report_run_ScheduleId_fkey" foreign key ("EnterpriseId", "ScheduleId") references report_schedule ("EnterpriseId", "Id")
        on delete set null ("ScheduleId")
);
select penstock_tenant_table('report_run');
create index report_run_schedule on report_run ("ScheduleId", "PeriodStart");
create index report_run_user on report_run ("UserId");
create index report_run_waiting on report_run ("Id") where "Status" < 2;
create index report_run_checked on report_run ("CheckTime") where "Status" = 2;
-- By its schedule, a period is reported once.
create unique index "report_run_once" on report_run ("ScheduleId", "PeriodStart", "PeriodEnd") where "ByHand" = 0;

update role set "MenuCodes" = "MenuCodes" || '{m10315,m10315.add,m10315.edit,m10315.remove,m10316,m10316.add,m10316.edit,m10316.remove,m10316.enable,m10316.run,m10317,m10317.remove,m10317.remake,m10317.release}'::text[]
where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10315,m10316,m10317}'::text[]
where "RouteRole" is distinct from 'admin' and 'm10301' = any("MenuCodes");

insert into timer ("EnterpriseId", "TimerName", "Method", "Cron", "NextTime")
select 1, 'Scheduled reports', 'reports', '0 * * * * ?', now() from secret where "Name" = 'timers furnished' on conflict do nothing;
