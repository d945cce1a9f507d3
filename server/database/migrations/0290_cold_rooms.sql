-- Cold rooms. A composed room has members and no sensors of its own. Rules judge what is measured as it happens.
create table cold_storage (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "StorageName" text not null,
    "StorageNo" text,
    "ProjectId" bigint not null,
    "StorageType" smallint not null default 1 check ("StorageType" between 1 and 7),
    "SN" text,
    "GatewayId" bigint,
    "TempLow" numeric(6, 2),
    "TempHigh" numeric(6, 2),
    "TempSet" numeric(6, 2),
    "HumLow" numeric(5, 2),
    "HumHigh" numeric(5, 2),
    "Area" double precision,
    "Volume" double precision,
    "Layers" integer,
    "DoorCount" integer,
    "Refrigerant" text,
    "RatedPowerKW" double precision,
    "GoodsType" text,
    "PriceStandardId" bigint,
    "IsCompose" smallint not null default 0,
    "ParentId" bigint,
    "ComposeTime" timestamptz,
    "SplitTime" timestamptz,
    "InitStatus" smallint not null default 0 check ("InitStatus" between 0 and 3),
    "InitTime" timestamptz,
    "BindCount" integer not null default 0,
    "TempRuleId" bigint,
    "HumRuleId" bigint,
    "Address" text,
    "Longitude" double precision,
    "Latitude" double precision,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "cold_storage_StorageNo_key" unique ("EnterpriseId", "StorageNo"),
    constraint "cold_storage_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id"),
    constraint "cold_storage_GatewayId_fkey" foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id") on delete set null ("GatewayId"),
    constraint "cold_storage_PriceStandardId_fkey" foreign key ("EnterpriseId", "PriceStandardId") references electricity_price_standard ("EnterpriseId", "Id"),
    constraint "cold_storage_ParentId_fkey" foreign key ("EnterpriseId", "ParentId") references cold_storage ("EnterpriseId", "Id"),
    constraint "cold_storage_TempRuleId_fkey" foreign key ("TempRuleId") references alarm_rule ("Id") on delete set null,
    constraint "cold_storage_HumRuleId_fkey" foreign key ("HumRuleId") references alarm_rule ("Id") on delete set null
);
create index on cold_storage ("ProjectId");
create index on cold_storage ("ParentId");
create index on cold_storage ("GatewayId");
create index on cold_storage ("PriceStandardId");
create index on cold_storage ("TempRuleId");
create index on cold_storage ("HumRuleId");
select penstock_tenant_table('cold_storage');

-- Which rooms a composed room was made of, and when: its figures of that time stay what they were after it is split.
create table cold_member (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ComposeId" bigint not null,
    "MemberId" bigint not null,
    "From" timestamptz not null,
    "Until" timestamptz,
    foreign key ("EnterpriseId", "ComposeId") references cold_storage ("EnterpriseId", "Id") on delete cascade,
    foreign key ("EnterpriseId", "MemberId") references cold_storage ("EnterpriseId", "Id")
);
create index on cold_member ("ComposeId");
create index on cold_member ("MemberId");
create unique index cold_member_once on cold_member ("MemberId") where "Until" is null;
create index cold_member_tenant on cold_member ("EnterpriseId");
select penstock_tenant_table('cold_member');

-- Sensors of a room over time. ParaId has no foreign key: it names the point after it is deleted, too.
create table cold_sensor_bind (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "SensorName" text not null,
    "ColdStorageId" bigint not null,
    "SensorType" smallint not null check ("SensorType" between 1 and 10),
    "ParaId" bigint,
    "DeviceId" bigint,
    "ProductSN" text,
    "SensorClass" text,
    "Position" smallint check ("Position" between 1 and 6),
    "X" double precision,
    "Y" double precision,
    "Z" double precision,
    "CalibDate" text,
    "CalibDue" text,
    "CalibOffset" numeric(6, 3) not null default 0,
    "BindTime" timestamptz not null,
    "UnbindTime" timestamptz check ("UnbindTime" >= "BindTime"),
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "cold_sensor_bind_ColdStorageId_fkey" foreign key ("EnterpriseId", "ColdStorageId") references cold_storage ("EnterpriseId", "Id") on delete cascade,
    constraint "cold_sensor_bind_DeviceId_fkey" foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id") on delete set null ("DeviceId")
);
create unique index "cold_sensor_bind_ParaId_key" on cold_sensor_bind ("ParaId") where "UnbindTime" is null;
create index on cold_sensor_bind ("ColdStorageId");
create index on cold_sensor_bind ("DeviceId");
create index cold_sensor_bind_points on cold_sensor_bind ("ParaId");
select penstock_tenant_table('cold_sensor_bind');

create function penstock_cold_bound() returns trigger language plpgsql as $$
declare
    room bigint = case when tg_op = 'DELETE' then old."ColdStorageId" else new."ColdStorageId" end;
begin
    update cold_storage set "BindCount" = (select count(*) from cold_sensor_bind where "ColdStorageId" = room and "UnbindTime" is null)
        where "Id" = room;
    return null;
end $$;
create trigger cold_sensor_bind_counted after insert or update or delete on cold_sensor_bind for each row execute function penstock_cold_bound();

-- What a sensor reads wrong, from a day on. Readings stay as they are.
create table cold_calibration (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "SensorBindId" bigint not null,
    "CalibDate" text not null,
    "CalibDue" text not null,
    "CalibOffset" numeric(6, 3) not null default 0,
    "CertificateNo" text,
    "Files" jsonb,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "cold_calibration_CalibDate_key" unique ("SensorBindId", "CalibDate"),
    constraint "cold_calibration_SensorBindId_fkey" foreign key ("EnterpriseId", "SensorBindId") references cold_sensor_bind ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('cold_calibration');
create index cold_calibration_tenant on cold_calibration ("EnterpriseId");

create function penstock_cold_calibrated() returns trigger language plpgsql as $$
declare
    sensor bigint = case when tg_op = 'DELETE' then old."SensorBindId" else new."SensorBindId" end;
begin
    update cold_sensor_bind b set "CalibDate" = c."CalibDate", "CalibDue" = c."CalibDue", "CalibOffset" = coalesce(c."CalibOffset", 0)
        from (select 1) one left join lateral (
            select * from cold_calibration where "SensorBindId" = sensor order by "CalibDate" desc limit 1) c on true
        where b."Id" = sensor;
    return null;
end $$;
create trigger cold_calibration_present after insert or update or delete on cold_calibration for each row execute function penstock_cold_calibrated();

-- The alarms of a rule are of this type: 1 of a device, 4 of a cold room.
alter table alarm_rule add column "AlarmType" smallint not null default 1;
do $$ begin
    -- Alarms of every type but the server's own are told to people.
    execute replace(pg_get_functiondef('alarm_info_made()'::regprocedure), '"AlarmType" in (1, 2)', '"AlarmType" <> 3');
end $$;

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m107,m10731,m10731.add,m10731.edit,m10731.remove,m10731.bind,m10731.compose,m10732}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
-- Whoever looks at energy looks at cold rooms, too; maintainers do not.
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m107,m10731,m10732}'::text[]) code)
    where "RouteRole" is distinct from 'admin' and 'm10701' = any("MenuCodes") and not 'm10731' = any("MenuCodes")
    and "RoleName" not in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
