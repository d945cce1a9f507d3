-- What the values of a point are: 0 instantaneous, 1 running counter, 2 amount per reading, 3 state, 4 rate. Without a row: 0, or 3 of a Bool.
create table point_meaning (
    "PointId" bigint primary key,
    "EnterpriseId" bigint not null references enterprise,
    "CalDataType" smallint not null check ("CalDataType" between 0 and 4),
    "MaxReading" double precision,
    "HourlyHigh" double precision,
    "Tolerance" double precision,
    "UpdateTime" timestamptz not null default now(),
    foreign key ("EnterpriseId", "PointId") references point ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('point_meaning');
create index point_meaning_tenant on point_meaning ("EnterpriseId");

-- What people said about falls and steep rises of counters: 1 restarted, 2 replaced, 3 wrong, 4 confirmed.
create table meter_event (
    "PointId" bigint not null,
    "EnterpriseId" bigint not null references enterprise,
    "Time" bigint not null,
    "Kind" smallint not null check ("Kind" between 1 and 4),
    "OldEnd" double precision,
    "NewStart" double precision,
    "UserId" bigint references "user" on delete set null,
    "UpdateTime" timestamptz not null default now(),
    primary key ("PointId", "Time"),
    foreign key ("EnterpriseId", "PointId") references point ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('meter_event');
create index meter_event_tenant on meter_event ("EnterpriseId");
create index meter_event_user on meter_event ("UserId");

-- How often readings of a point were to be expected until a moment, ms: a value of that time holds as long as was right then.
create table point_interval (
    "PointId" bigint not null,
    "EnterpriseId" bigint not null references enterprise,
    "Until" timestamptz not null,
    "ExpectedMs" bigint not null,
    primary key ("PointId", "Until"),
    foreign key ("EnterpriseId", "PointId") references point ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('point_interval');
create index point_interval_tenant on point_interval ("EnterpriseId");

-- `point` alone would be PostgreSQL's geometric type.
create function penstock_expected_ms(p public.point) returns bigint language sql immutable as $$
    select case p."UploadMode" when 1 then p."CollectPeriod" else greatest(p."UploadPeriod"::bigint * 1000, p."CollectPeriod") end
$$;
create function penstock_point_interval() returns trigger language plpgsql as $$
begin
    insert into point_interval ("PointId", "EnterpriseId", "Until", "ExpectedMs")
    values (old."Id", old."EnterpriseId", now(), penstock_expected_ms(old)) on conflict do nothing;
    return null;
end $$;
create trigger point_interval after update of "UploadMode", "CollectPeriod", "UploadPeriod" on point for each row
    when (old."UploadMode" <> new."UploadMode" or old."CollectPeriod" <> new."CollectPeriod" or old."UploadPeriod" <> new."UploadPeriod")
    execute function penstock_point_interval();
