-- The band of a room over time: a change of limits judges what comes after it. The first one counts from the beginning.
create table cold_band (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ColdStorageId" bigint not null,
    "From" timestamptz not null,
    "TempLow" numeric(6, 2),
    "TempHigh" numeric(6, 2),
    "HumLow" numeric(5, 2),
    "HumHigh" numeric(5, 2),
    unique ("ColdStorageId", "From"),
    foreign key ("EnterpriseId", "ColdStorageId") references cold_storage ("EnterpriseId", "Id") on delete cascade
);
create index cold_band_tenant on cold_band ("EnterpriseId");
select penstock_tenant_table('cold_band');

-- Until a room is ready, nothing is judged, and its band may change from the beginning on.
create function penstock_cold_band() returns trigger language plpgsql as $$
begin
    insert into cold_band ("EnterpriseId", "ColdStorageId", "From", "TempLow", "TempHigh", "HumLow", "HumHigh")
    values (new."EnterpriseId", new."Id",
        case when tg_op = 'INSERT' or old."InitStatus" <> 2 then timestamptz '2000-01-01 00:00:00Z' else date_trunc('milliseconds', now()) end,
        new."TempLow", new."TempHigh", new."HumLow", new."HumHigh")
    on conflict ("ColdStorageId", "From") do update set "TempLow" = excluded."TempLow", "TempHigh" = excluded."TempHigh",
        "HumLow" = excluded."HumLow", "HumHigh" = excluded."HumHigh";
    return null;
end $$;
create trigger cold_storage_banded after insert on cold_storage for each row execute function penstock_cold_band();
create trigger cold_storage_rebanded after update of "TempLow", "TempHigh", "HumLow", "HumHigh" on cold_storage for each row
    when ((old."TempLow", old."TempHigh", old."HumLow", old."HumHigh") is distinct from (new."TempLow", new."TempHigh", new."HumLow", new."HumHigh"))
    execute function penstock_cold_band();
insert into cold_band ("EnterpriseId", "ColdStorageId", "From", "TempLow", "TempHigh", "HumLow", "HumHigh")
    select "EnterpriseId", "Id", timestamptz '2000-01-01 00:00:00Z', "TempLow", "TempHigh", "HumLow", "HumHigh" from cold_storage;

-- When a sensor was outside its band. Derived from readings; what people decide about it stays.
create table cold_excursion (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ColdStorageId" bigint not null,
    "SensorBindId" bigint not null,
    "SensorType" smallint not null,
    "Side" smallint not null check ("Side" in (1, 2)),
    "BeginTime" timestamptz not null,
    "EndTime" timestamptz,
    -- Up to where it is known: EndTime, or the last look.
    "KnownTime" timestamptz not null,
    "Ended" smallint not null check ("Ended" between 0 and 2),
    "Minutes" double precision not null,
    "PeakValue" double precision not null,
    "PeakTime" timestamptz not null,
    "LimitValue" double precision not null,
    "DegreeMinutes" double precision not null,
    "Mkt" double precision,
    "Disposition" smallint not null default 0 check ("Disposition" between 0 and 3),
    "Cause" text,
    "DisposeUserId" bigint,
    "DisposeTime" timestamptz,
    "IsChanged" smallint not null default 0,
    "IsVoid" smallint not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "cold_excursion_BeginTime_key" unique ("SensorBindId", "Side", "BeginTime"),
    constraint "cold_excursion_ColdStorageId_fkey" foreign key ("EnterpriseId", "ColdStorageId") references cold_storage ("EnterpriseId", "Id") on delete cascade,
    constraint "cold_excursion_SensorBindId_fkey" foreign key ("EnterpriseId", "SensorBindId") references cold_sensor_bind ("EnterpriseId", "Id") on delete cascade,
    constraint "cold_excursion_DisposeUserId_fkey" foreign key ("DisposeUserId") references "user" ("Id") on delete set null
);
create index on cold_excursion ("ColdStorageId", "BeginTime");
create index on cold_excursion ("EnterpriseId", "BeginTime" desc, "Id" desc);
create index on cold_excursion ("DisposeUserId");
create index cold_excursion_open on cold_excursion ("SensorBindId") where "Ended" = 0;
select penstock_tenant_table('cold_excursion');

-- Up to which arrival number the readings of a sensor are in its excursions, and by which rules.
create table cold_excursion_state (
    "SensorBindId" bigint primary key references cold_sensor_bind ("Id") on delete cascade,
    "EnterpriseId" bigint not null references enterprise,
    "Fingerprint" text not null,
    "Arrived" bigint not null
);
create index cold_excursion_state_tenant on cold_excursion_state ("EnterpriseId");
select penstock_tenant_table('cold_excursion_state');

-- An alarm of a sensor that is bound to a room when it begins is one of the room, whatever raises it.
create function penstock_cold_alarm() returns trigger language plpgsql as $$
begin
    if exists (select 1 from cold_sensor_bind b where b."ParaId" = new."ParaId" and b."BindTime" <= new."StartTime"
        and (b."UnbindTime" is null or b."UnbindTime" > new."StartTime")) then
        new."AlarmType" := 4;
    end if;
    return new;
end $$;
create trigger alarm_info_cold before insert on alarm_info for each row
    when (new."AlarmType" = 1 and new."ParaId" is not null) execute function penstock_cold_alarm();

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m10214,m10214.dispose}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
update role set "MenuCodes" = "MenuCodes" || array['m10214']
    where 'm10731' = any("MenuCodes") and not 'm10214' = any("MenuCodes");
