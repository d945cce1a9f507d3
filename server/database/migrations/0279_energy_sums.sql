-- How often days of a circuit were derived anew, by UTC month of the days.
create table energy_revision (
    "EnterpriseId" bigint not null references enterprise,
    "EnergyInfoId" bigint not null,
    "Month" date not null,
    "Revision" bigint not null default 1,
    primary key ("EnergyInfoId", "Month"),
    foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('energy_revision');
create index energy_revision_tenant on energy_revision ("EnterpriseId");

-- Sums of the days of a local month, with prices: a cache, of which any row may be dropped. Its key names all that the sums depend on.
create table energy_sum (
    "EnterpriseId" bigint not null references enterprise,
    "EnergyInfoId" bigint not null,
    "Month" date not null,
    "Key" text not null,
    -- Its first days, which "Total" adds up and "Parts" has one by one.
    "Days" smallint not null,
    "Total" text not null,
    "Parts" text not null,
    primary key ("EnergyInfoId", "Month"),
    foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('energy_sum');
create index energy_sum_tenant on energy_sum ("EnterpriseId");
