-- Orders of maintenance. Repair, upkeep and patrol orders draw their Ids from one sequence: a history entry or a photo names any of them.
create sequence mtn_order_id;
grant usage on sequence mtn_order_id to penstock_tenant, penstock_platform;

create table mtn_maintenance_order (
    "Id" bigint primary key default nextval('mtn_order_id'),
    "EnterpriseId" bigint not null references enterprise,
    "OrderNo" text not null default '',
    "Title" text not null,
    "Status" smallint not null default 0,
    "Urgency" smallint not null default 1,
    -- Orders outlive their project and machine.
    "ProjectId" bigint not null,
    "GatewayId" bigint,
    "DeviceId" bigint,
    "Source" smallint not null default 1,
    "FaultDesc" text,
    "FaultCodeId" bigint,
    "Files" jsonb,
    "PlanFinishTime" timestamptz,
    "ReportUserId" bigint,
    "ReportTime" timestamptz not null default now(),
    "AssignUserId" bigint,
    "TeamId" bigint,
    "DepartmentId" bigint,
    "HandOverUserId" bigint,
    "AcceptTime" timestamptz,
    "ArriveTime" timestamptz,
    "FinishTime" timestamptz,
    "HandleDesc" text,
    "HandleAttach" jsonb,
    "CauseType" smallint,
    "Solution" text,
    "StopHours" double precision,
    "LaborHours" double precision,
    "Score" smallint,
    "CheckUserId" bigint,
    "CheckTime" timestamptz,
    "CheckDesc" text,
    "AlmInfoId" bigint,
    "AlmRuleId" bigint,
    "AlarmCount" integer not null default 0,
    "LastAlarmTime" timestamptz,
    "Verified" smallint not null default 0,
    "CameBackOfId" bigint,
    "IsClosed" smallint not null generated always as (case when "Status" in (5, 6) then 1 else 0 end) stored,
    -- What stood still: the device, else the gateway, else the project.
    "Machine" text not null generated always as (coalesce('d' || "DeviceId", 'g' || "GatewayId", 'p' || "ProjectId")) stored,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_maintenance_order_OrderNo_key" unique ("EnterpriseId", "OrderNo"),
    constraint "mtn_maintenance_order_FaultCodeId_fkey" foreign key ("EnterpriseId", "FaultCodeId") references alarm_code ("EnterpriseId", "Id"),
    constraint "mtn_maintenance_order_AlmInfoId_fkey" foreign key ("EnterpriseId", "AlmInfoId") references alarm_info ("EnterpriseId", "Id") on delete set null ("AlmInfoId"),
    constraint "mtn_maintenance_order_CameBackOfId_fkey" foreign key ("EnterpriseId", "CameBackOfId") references mtn_maintenance_order ("EnterpriseId", "Id") on delete set null ("CameBackOfId"),
    constraint "mtn_maintenance_order_ReportUserId_fkey" foreign key ("ReportUserId") references "user" on delete set null,
    constraint "mtn_maintenance_order_AssignUserId_fkey" foreign key ("AssignUserId") references "user" on delete set null,
    constraint "mtn_maintenance_order_HandOverUserId_fkey" foreign key ("HandOverUserId") references "user" on delete set null,
    constraint "mtn_maintenance_order_CheckUserId_fkey" foreign key ("CheckUserId") references "user" on delete set null,
    constraint "mtn_maintenance_order_TeamId_fkey" foreign key ("EnterpriseId", "TeamId") references alarm_roster ("EnterpriseId", "Id") on delete set null ("TeamId"),
    constraint "mtn_maintenance_order_DepartmentId_fkey" foreign key ("EnterpriseId", "DepartmentId") references department ("EnterpriseId", "Id") on delete set null ("DepartmentId")
);
alter sequence mtn_order_id owned by mtn_maintenance_order."Id";
-- One open order of a rule and a machine: whatever opens orders at the same moment, the second one finds the first.
create unique index mtn_maintenance_order_open on mtn_maintenance_order ("AlmRuleId", "Machine") where "AlmRuleId" is not null and "Status" not in (5, 6);
create index mtn_maintenance_order_list on mtn_maintenance_order ("EnterpriseId", "ReportTime" desc, "Id" desc);
create index mtn_maintenance_order_todo on mtn_maintenance_order ("EnterpriseId", "PlanFinishTime", "Id") where "Status" not in (5, 6);
create index mtn_maintenance_order_person on mtn_maintenance_order ("AssignUserId") where "Status" not in (5, 6);
create index mtn_maintenance_order_machine on mtn_maintenance_order ("EnterpriseId", "Machine", "Id" desc);
create index mtn_maintenance_order_proof on mtn_maintenance_order ("FinishTime") where "Status" = 5 and "Verified" = 0;
select penstock_tenant_table('mtn_maintenance_order');

-- The last number of each day.
create table mtn_order_no (
    "EnterpriseId" bigint not null references enterprise on delete cascade,
    "Prefix" text not null,
    "Last" integer not null,
    primary key ("EnterpriseId", "Prefix")
);
select penstock_tenant_table('mtn_order_no');

create function mtn_order_number() returns trigger language plpgsql as $$
declare
    prefix text;
    n integer;
begin
    select tg_argv[0] || to_char(new."ReportTime" at time zone e."TimeZoneKey", 'YYYYMMDD') into prefix from enterprise e where e."Id" = new."EnterpriseId";
    insert into mtn_order_no as o ("EnterpriseId", "Prefix", "Last") values (new."EnterpriseId", prefix, 1)
    on conflict ("EnterpriseId", "Prefix") do update set "Last" = o."Last" + 1 returning "Last" into n;
    new."OrderNo" := prefix || case when n < 10000 then lpad(n::text, 4, '0') else n::text end;
    return new;
end $$;
create trigger mtn_order_number before insert on mtn_maintenance_order for each row execute function mtn_order_number('WX');

-- What was done to an order: one row a step, in the transaction of the step. "OrderId" is of any kind of order.
create table mtn_order_history (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "OrderId" bigint not null,
    "UserId" bigint,
    "Step" text not null,
    "FromStatus" smallint,
    "ToStatus" smallint not null,
    -- Whom it was given to.
    "TargetId" bigint,
    "Target" text,
    "Desc" text,
    "Files" jsonb not null default '[]',
    -- The same key is the same step; the hash says whether it had the same content.
    "ClientKey" text,
    "Hash" text,
    "Time" timestamptz not null default clock_timestamp()
);
create index mtn_order_history_order on mtn_order_history ("OrderId", "Id");
create unique index mtn_order_history_key on mtn_order_history ("OrderId", "UserId", "ClientKey") where "ClientKey" is not null;
create index mtn_order_history_tenant on mtn_order_history ("EnterpriseId", "Id");
select penstock_tenant_table('mtn_order_history');
revoke update on mtn_order_history from penstock_tenant;

alter table alarm_info add "OrderId" bigint;
create index alarm_info_order on alarm_info ("OrderId") where "OrderId" is not null;

-- My orders, repair orders, and who hears of them; the last one was shown with the templates of gateway alarms.
update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m106,m10601,m10601.work,m10602,m10602.add,m10602.edit,m10602.remove,m10602.dispatch,m10602.check,m10602.cancel,m10602.handOver,m10609,m10609.add,m10609.edit,m10609.remove}'::text[]) code where not code = any("MenuCodes"))
where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || array(
    select replace(code, 'm10210', 'm10609') from unnest("MenuCodes") code
    where code in ('m10210', 'm10210.add', 'm10210.edit', 'm10210.remove') and not replace(code, 'm10210', 'm10609') = any("MenuCodes"))
where 'm10210' = any("MenuCodes") and "RouteRole" is distinct from 'admin';
-- Who looks at the maintenance centre looks at its orders, too.
update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m10601,m10602}'::text[]) code where not code = any("MenuCodes"))
where 'm10205' = any("MenuCodes") and "RouteRole" is distinct from 'admin';
-- Maintainers plan and mend.
update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m106,m10601,m10601.work,m10602,m10602.add,m10602.edit,m10602.remove,m10602.dispatch,m10602.check,m10602.cancel,m10602.handOver,m10609,m10609.add,m10609.edit,m10609.remove}'::text[]) code where not code = any("MenuCodes"))
where "RouteRole" = 'editor' and "RoleName" in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
-- Technicians see their own orders and nothing else.
insert into role ("EnterpriseId", "RoleName", "RouteRole", "MenuCodes")
select e."Id", case e."Language" when 'zh' then '维修工' when 'es' then 'Operario de mantenimiento' when 'ja' then '作業員' else 'Technician' end,
    'editor', '{m106,m10601,m10601.work,m104,m10401,m10405}'::text[]
from enterprise e where e."Id" <> 1
on conflict do nothing;

-- A rule opens an order by its action 1, and one of maintenance (type 2) always does: the row is made with the alarm, the order follows from it.
create or replace function alarm_info_made() returns trigger language plpgsql as $$
begin
    insert into notice_due select "Id", "EnterpriseId" from made where "AlarmType" in (1, 2) order by "Id";

    -- Alarms without a rule, of limits and of gateways, are told to those who have asked for them.
    insert into alarm_push ("AlmInfoId", "EnterpriseId", "Push", "TimeZone")
    select m."Id", e."Id", '{"PushUsers": [], "PushMethods": [], "RecoveryNotice": 1}', e."TimeZoneKey"
    from made m join enterprise e on e."Id" = m."EnterpriseId"
    where m."AlmRuleId" is null and m."AlarmType" in (1, 2)
        and exists (select 1 from alarm_user_setting s where s."EnterpriseId" = m."EnterpriseId" and s."Setting" ->> 'WithoutRule' = '1');

    insert into alarm_push ("AlmInfoId", "EnterpriseId", "Push", "TimeZone")
    select m."Id", m."EnterpriseId", r."AlarmPush", coalesce(r."RuleConfigure" -> 'EnableRule' ->> 'TimeZone', e."TimeZoneKey")
    from made m join alarm_rule r on r."Id" = m."AlmRuleId" and r."EnterpriseId" = m."EnterpriseId" join enterprise e on e."Id" = m."EnterpriseId"
    where r."IsSend" = 1 and jsonb_typeof(r."AlarmPush") = 'object';

    insert into alarm_action ("EnterpriseId", "AlmInfoId", "Kind", "Place", "Payload")
    select m."EnterpriseId", m."Id", a.kind, a.n, a.one
    from made m join alarm_rule r on r."Id" = m."AlmRuleId" and r."EnterpriseId" = m."EnterpriseId"
        and (r."DeviceControl" <> '[]' or r."ActionExecution" <> '[]' or r."RuleType" = 2)
    cross join lateral (
        select 'write' as kind, n, one
        from jsonb_array_elements(case when jsonb_typeof(r."DeviceControl") = 'array' then r."DeviceControl" else '[]' end) with ordinality as x (one, n)
        union all
        select case (one ->> 'Type')::int when 1 then 'order' when 3 then 'webhook' else 'notice' end, n, one
        from jsonb_array_elements(case when jsonb_typeof(r."ActionExecution") = 'array' then r."ActionExecution" else '[]' end) with ordinality as x (one, n)
        union all
        select 'order', 0, '{"Type": 1}'::jsonb where r."RuleType" = 2 and not coalesce(r."ActionExecution" @> '[{"Type": 1}]', false)
    ) a
    order by m."Id", a.kind desc, a.n;

    insert into alarm_webhook_event ("EnterpriseId", "AlarmWebhookId", "AlmInfoId", "Event", "AlarmLevel", "Time")
    select m."EnterpriseId", h."Id", m."Id", e.event, m."AlarmLevel", e.at
    from made m join alarm_webhook h on h."EnterpriseId" = m."EnterpriseId" cross join lateral (values
        (1, 'raised', h."OnRaised" = 1, m."StartTime"),
        (2, 'recovered', h."OnRecovered" = 1 and m."IsActive" = 0, m."RecoverTime")
    ) as e (n, event, wanted, at)
    where h."Enabled" = 1 and h."AlarmLevel" <= m."AlarmLevel" and (h."ProjectId" is null or h."ProjectId" = m."ProjectId") and e.wanted
    order by m."Id", h."Id", e.n;
    return null;
end $$;
