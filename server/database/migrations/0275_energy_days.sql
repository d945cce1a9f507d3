-- What circuits with meters counted, by quarter-hours of UTC days: a cache, of which any row may be dropped.
create table energy_day (
    "EnterpriseId" bigint not null references enterprise,
    "EnergyInfoId" bigint not null,
    "Day" date not null,
    "Parts" bytea not null,
    -- Meter events without an answer.
    "Open" integer not null default 0,
    primary key ("EnergyInfoId", "Day"),
    foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('energy_day');
create index energy_day_tenant on energy_day ("EnterpriseId");

-- How far days are derived: all arrivals up to a number are in them. Another fingerprint of meters and their rules derives them anew.
create table energy_state (
    "EnergyInfoId" bigint primary key,
    "EnterpriseId" bigint not null references enterprise,
    "DerivedFrom" date not null,
    "DerivedUntil" date not null,
    "Arrived" bigint not null,
    "Fingerprint" text not null,
    foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('energy_state');
create index energy_state_tenant on energy_state ("EnterpriseId");

-- What a meter counts by, kept when its point is deleted.
create table energy_meter (
    "PointId" bigint primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Rules" jsonb not null
);
select penstock_tenant_table('energy_meter');
create index energy_meter_tenant on energy_meter ("EnterpriseId");
