create table alarm_rule (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "RuleName" text not null,
    "RuleNo" text not null,
    "RuleType" smallint not null default 1,
    "AlarmLevel" smallint not null default 2,
    "Status" smallint not null default 0,
    "Enabled" smallint not null generated always as ("Status") stored,
    "IsSend" smallint not null default 0,
    "IsDelete" smallint not null generated always as (0) stored,
    "ProjectId" bigint not null,
    "BelongOrganId" bigint,
    "ParamNames" text not null default '',
    "Remark" text,
    "RuleConfigure" jsonb not null,
    "AlarmPush" jsonb,
    "DeviceControl" jsonb,
    "ActionExecution" jsonb,
    "LastTriggerTime" timestamptz,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "alarm_rule_RuleName_key" unique ("ProjectId", "RuleName"),
    foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id")
);
create index alarm_rule_list on alarm_rule ("EnterpriseId", "Id" desc);
select penstock_tenant_table('alarm_rule');

-- AR, the day, and a number that is taken once in the tenant.
create function alarm_rule_number() returns trigger language plpgsql as $$
begin
    new."RuleNo" := 'AR' || to_char(now() at time zone 'UTC', 'YYYYMMDD') || lpad(new."Id"::text, 4, '0');
    return new;
end $$;
create trigger alarm_rule_number before insert on alarm_rule for each row execute function alarm_rule_number();

-- What the engine knows of a rule at one of its subjects (a point, a device, or the rule as a whole), as it exports it.
create table alarm_rule_state (
    "RuleId" bigint not null,
    "Key" text not null,
    "State" jsonb not null,
    primary key ("RuleId", "Key")
);
select penstock_system_table('alarm_rule_state');

-- What an alarm is about, in the engine's words: a limit of a point, a rule at a subject, a fault of a gateway. One stands at a time.
alter table alarm_info
    add column "Subject" text,
    add column "AlmRuleId" bigint,
    add column "Snapshot" jsonb,
    add column "IsFalse" smallint not null default 0,
    add column "AssigneeId" bigint,
    add column "ShelvedUntil" timestamptz,
    add column "ShelveReason" text,
    add column "FaultCodeId" bigint,
    add column "AlmPlanId" bigint;
update alarm_info set "Subject" = 'l' || "ParaId" || ' ' || "Limit" where "ParaId" is not null;
drop index alarm_info_standing;
create unique index alarm_info_standing on alarm_info ("Subject") where "IsActive" = 1;

create index alarm_info_rule on alarm_info ("AlmRuleId", "StartTime" desc) where "AlmRuleId" is not null;
create index alarm_info_level on alarm_info ("EnterpriseId", "AlarmLevel", "StartTime" desc, "Id" desc);
drop index if exists alarm_info_handled;
create index alarm_info_handled on alarm_info ("EnterpriseId", "HandleStatus", "StartTime" desc, "Id" desc);
create index alarm_info_project on alarm_info ("ProjectId", "StartTime" desc, "Id" desc);
create index alarm_info_code on alarm_info ("EnterpriseId", "FaultCodeId", "StartTime" desc, "Id" desc);
create index alarm_info_type on alarm_info ("EnterpriseId", "AlarmType", "StartTime" desc, "Id" desc);

-- What people say about an alarm, and what they attach to it.
create table alarm_comment (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "AlarmId" bigint not null,
    "UserId" bigint not null,
    "Text" text not null,
    "FileIds" jsonb not null default '[]',
    "CreateTime" timestamptz not null default now(),
    foreign key ("EnterpriseId", "AlarmId") references alarm_info ("EnterpriseId", "Id") on delete cascade
);
create index alarm_comment_alarm on alarm_comment ("AlarmId", "Id");
select penstock_tenant_table('alarm_comment');

-- Managers hold every permission of a tenant.
update role set "MenuCodes" = "MenuCodes" || '{m10202,m10202.add,m10202.edit,m10202.remove}'::text[] where "RouteRole" = 'admin';
