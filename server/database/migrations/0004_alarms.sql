-- Alarms outlive the points and devices they came from: no foreign keys to those.
create table alarm_info (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "AlmNo" text not null,
    "RuleName" text not null,
    "RuleType" smallint not null default 1,
    "AlarmLevel" smallint not null default 2,
    "AlarmType" smallint not null default 1,
    "ProjectId" bigint,
    "GatewayId" bigint,
    "DeviceId" bigint,
    "ParaId" bigint,
    "Limit" text,
    "LimitValue" double precision,
    "TriggerValue" double precision,
    "LastValue" double precision,
    "StartTime" timestamptz not null,
    "LastTime" timestamptz,
    "RecoverTime" timestamptz,
    "IsActive" smallint not null default 1,
    "HandleStatus" smallint not null default 0,
    "AckStatus" smallint not null default 0,
    "AckUserId" bigint,
    "AckTime" timestamptz,
    "HandleUserId" bigint,
    "HandleTime" timestamptz,
    "HandleDesc" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id")
);
-- At most one alarm stands for a limit of a point, whatever the engine believes.
create unique index alarm_info_standing on alarm_info ("ParaId", "Limit") where "IsActive" = 1;
create index alarm_info_list on alarm_info ("EnterpriseId", "IsActive", "StartTime" desc, "Id" desc);
create index alarm_info_history on alarm_info ("EnterpriseId", "StartTime" desc, "Id" desc);
create index alarm_info_device on alarm_info ("DeviceId", "StartTime" desc);
select penstock_tenant_table('alarm_info');
-- The engine alone makes alarms, and nobody of a tenant removes one.
revoke insert, delete on alarm_info from penstock_tenant;

create function alarm_info_number() returns trigger language plpgsql as $$
begin
    new."AlmNo" := 'AL' || to_char(new."StartTime" at time zone 'UTC', 'YYYYMMDD') || '-' || new."Id";
    return new;
end $$;
create trigger alarm_info_number before insert on alarm_info for each row execute function alarm_info_number();

-- What the alarm engine knows of a point, as it exports it.
create table alarm_state (
    "ParaId" bigint primary key,
    "State" jsonb not null
);
select penstock_system_table('alarm_state');

-- How far the engine is, saved with what it found (one row). All readings that arrived up to "Judged" are judged; the times
-- in alarm_state are complete up to "Settled". "Turn" grows with every save, so that two engines cannot both write.
create table alarm_cursor (
    "Id" smallint primary key default 1 check ("Id" = 1),
    "Turn" bigint not null default 0,
    "Judged" bigint not null default 0,
    "Settled" bigint not null default 0
);
select penstock_system_table('alarm_cursor');
insert into alarm_cursor default values;
