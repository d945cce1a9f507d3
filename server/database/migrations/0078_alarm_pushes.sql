-- What the channels' log says of alarms: which push of which step, by which rule. Held messages wait for the end of quiet hours or for a digest.
alter table alm_push_record
    add column "Kind" text,
    add column "Step" smallint,
    add column "AlmRuleId" bigint;
create index alm_push_record_alarm on alm_push_record ("AlmInfoId", "Id") where "AlmInfoId" is not null;
create index alm_push_record_held on alm_push_record ("NextTime", "Id") where "SendStatus" = 4;
drop index alm_push_record_user;
create index alm_push_record_user on alm_push_record ("EnterpriseId", "UserId", "CreateTime" desc);
create index alm_push_record_address on alm_push_record ("EnterpriseId", "Method", "Address", "CreateTime" desc) where "UserId" is null;

-- How often one thing was in alarm lately: for anti-shake and flapping.
create index alarm_info_subject on alarm_info ("Subject", "StartTime" desc);

-- Who is on duty when: people of a roster are told in their shifts only.
create table alarm_roster (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "RosterName" text not null,
    "TimeZone" text not null,
    "Shifts" jsonb not null,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "alarm_roster_RosterName_key" unique ("EnterpriseId", "RosterName")
);
select penstock_tenant_table('alarm_roster');

-- Alarms that somebody is still to be told of; made with the alarm, in its transaction, and gone when nothing is left to say.
-- "Push" is the rule's as it was then. "NextTime": when to look again; null: when something happens to the alarm.
create table alarm_push (
    "AlmInfoId" bigint primary key,
    "EnterpriseId" bigint not null,
    "Push" jsonb not null,
    "TimeZone" text not null,
    "State" jsonb not null default '{}',
    "NextTime" timestamptz default '-infinity',
    foreign key ("EnterpriseId", "AlmInfoId") references alarm_info ("EnterpriseId", "Id") on delete cascade
);
create index alarm_push_due on alarm_push ("NextTime", "AlmInfoId");
select penstock_system_table('alarm_push');

-- What is done when an alarm is raised, once: made with it, and kept as the record of it. "MsgId" stays the same at every try, so that
-- a gateway knows a command again.
create table alarm_action (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "AlmInfoId" bigint not null,
    "Kind" text not null,
    "Place" smallint not null,
    "Payload" jsonb not null,
    "MsgId" text not null unique default gen_random_uuid()::text,
    "DueTime" timestamptz,
    "NextTime" timestamptz default '-infinity',
    "Status" smallint not null default 0,
    "Tries" smallint not null default 0,
    "ErrorText" text,
    "DoneTime" timestamptz,
    "CreateTime" timestamptz not null default now(),
    unique ("AlmInfoId", "Kind", "Place"),
    foreign key ("EnterpriseId", "AlmInfoId") references alarm_info ("EnterpriseId", "Id") on delete cascade
);
create index alarm_action_due on alarm_action ("NextTime", "Id") where "Status" = 0;
create index alarm_action_tenant on alarm_action ("EnterpriseId", "Id");
select penstock_tenant_table('alarm_action');
revoke insert, update, delete on alarm_action from penstock_tenant;

create function alarm_info_told() returns trigger language plpgsql as $$
declare rule record;
begin
    select r."IsSend", r."AlarmPush", r."DeviceControl", r."ActionExecution",
        coalesce(r."RuleConfigure" -> 'EnableRule' ->> 'TimeZone', e."TimeZoneKey") as "TimeZone"
    into rule from alarm_rule r join enterprise e on e."Id" = r."EnterpriseId" where r."Id" = new."AlmRuleId" and r."EnterpriseId" = new."EnterpriseId";
    if not found then return null; end if;
    if rule."IsSend" = 1 and jsonb_typeof(rule."AlarmPush") = 'object' then
        insert into alarm_push ("AlmInfoId", "EnterpriseId", "Push", "TimeZone") values (new."Id", new."EnterpriseId", rule."AlarmPush", rule."TimeZone");
    end if;
    if jsonb_typeof(rule."DeviceControl") = 'array' then
        insert into alarm_action ("EnterpriseId", "AlmInfoId", "Kind", "Place", "Payload")
        select new."EnterpriseId", new."Id", 'write', n, one from jsonb_array_elements(rule."DeviceControl") with ordinality as x (one, n);
    end if;
    if jsonb_typeof(rule."ActionExecution") = 'array' then
        insert into alarm_action ("EnterpriseId", "AlmInfoId", "Kind", "Place", "Payload")
        select new."EnterpriseId", new."Id", case when (one ->> 'Type')::int = 3 then 'webhook' else 'notice' end, n, one
        from jsonb_array_elements(rule."ActionExecution") with ordinality as x (one, n);
    end if;
    return null;
end $$;
create trigger alarm_info_told after insert on alarm_info for each row when (new."AlmRuleId" is not null) execute function alarm_info_told();

update role set "MenuCodes" = "MenuCodes" || '{m10230,m10230.add,m10230.edit,m10230.remove}'::text[] where "RouteRole" = 'admin';
