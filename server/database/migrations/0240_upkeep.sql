-- Upkeep: plans, and the orders that follow from them. Their Ids and history are shared with orders of repair.
create table mtn_up_keep_plan (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "PlanName" text not null,
    "PlanNo" text,
    "ProjectId" bigint not null,
    "DeviceIds" jsonb,
    "PlanStatus" smallint not null default 0,
    "CycleType" smallint not null default 3,
    "CycleValue" integer not null default 1,
    "WeekDays" jsonb,
    "MonthDays" jsonb,
    "StartDate" text not null,
    "EndDate" text,
    "ExecTime" text not null default '08:00',
    "BasedOn" smallint not null default 1,
    "SkipHolidays" smallint not null default 0,
    "AdvanceDays" integer not null default 3,
    "DueDays" integer not null default 3,
    "GraceDays" integer not null default 7,
    "AssignUserId" bigint,
    "TeamId" bigint,
    "Items" jsonb,
    "Remark" text,
    "NextTime" timestamptz,
    "LastTime" timestamptz,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_up_keep_plan_PlanName_key" unique ("ProjectId", "PlanName"),
    constraint "mtn_up_keep_plan_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id") on delete cascade,
    constraint "mtn_up_keep_plan_AssignUserId_fkey" foreign key ("AssignUserId") references "user" on delete set null,
    constraint "mtn_up_keep_plan_TeamId_fkey" foreign key ("EnterpriseId", "TeamId") references alarm_roster ("EnterpriseId", "Id") on delete set null ("TeamId")
);
create index mtn_up_keep_plan_list on mtn_up_keep_plan ("EnterpriseId", "PlanName", "Id");
create index mtn_up_keep_plan_due on mtn_up_keep_plan ("NextTime") where "PlanStatus" = 1 and "NextTime" is not null;
select penstock_tenant_table('mtn_up_keep_plan');

create table mtn_up_keep_order (
    "Id" bigint primary key default nextval('mtn_order_id'),
    "EnterpriseId" bigint not null references enterprise,
    "OrderNo" text not null default '',
    "Title" text not null,
    "Status" smallint not null default 0,
    -- Orders outlive their plan, project and machine.
    "PlanId" bigint,
    "ProjectId" bigint not null,
    "DeviceId" bigint,
    "PlanTime" timestamptz not null,
    "DueTime" timestamptz not null,
    "AssignUserId" bigint,
    "TeamId" bigint,
    "DepartmentId" bigint,
    "HandOverUserId" bigint,
    "ExecUserId" bigint,
    "StartTime" timestamptz,
    "FinishTime" timestamptz,
    "Items" jsonb,
    "Results" jsonb,
    "AbnormalCount" integer not null default 0,
    "HandleDesc" text,
    "HandleAttach" jsonb,
    -- When it was made, which its number says.
    "ReportTime" timestamptz not null default now(),
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_up_keep_order_OrderNo_key" unique ("EnterpriseId", "OrderNo"),
    constraint "mtn_up_keep_order_PlanId_fkey" foreign key ("EnterpriseId", "PlanId") references mtn_up_keep_plan ("EnterpriseId", "Id") on delete set null ("PlanId"),
    constraint "mtn_up_keep_order_AssignUserId_fkey" foreign key ("AssignUserId") references "user" on delete set null,
    constraint "mtn_up_keep_order_ExecUserId_fkey" foreign key ("ExecUserId") references "user" on delete set null,
    constraint "mtn_up_keep_order_TeamId_fkey" foreign key ("EnterpriseId", "TeamId") references alarm_roster ("EnterpriseId", "Id") on delete set null ("TeamId")
);
-- One order for a plan, a machine and a time, however many servers look at the same moment.
create unique index mtn_up_keep_order_once on mtn_up_keep_order ("PlanId", (coalesce("DeviceId", 0)), "PlanTime") where "PlanId" is not null;
create index mtn_up_keep_order_list on mtn_up_keep_order ("EnterpriseId", "PlanTime" desc, "Id" desc);
create index mtn_up_keep_order_todo on mtn_up_keep_order ("DueTime") where "Status" in (0, 1);
create index mtn_up_keep_order_person on mtn_up_keep_order ("AssignUserId") where "Status" in (0, 1);
select penstock_tenant_table('mtn_up_keep_order');
create trigger mtn_order_number before insert on mtn_up_keep_order for each row execute function mtn_order_number('BY');

update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m10603,m10603.add,m10603.edit,m10603.remove,m10604,m10604.add,m10604.edit,m10604.remove,m10604.cancel}'::text[]) code where not code = any("MenuCodes"))
where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
-- Who looks at repair orders looks at those of upkeep, too.
update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m10603,m10604}'::text[]) code where not code = any("MenuCodes"))
where 'm10602' = any("MenuCodes") and "RouteRole" is distinct from 'admin';
