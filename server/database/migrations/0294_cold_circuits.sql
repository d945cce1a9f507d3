-- Circuits of cold rooms, by what they feed.
create table cold_circuit (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ColdStorageId" bigint not null,
    "EnergyInfoId" bigint not null,
    "Use" smallint not null default 1 check ("Use" between 1 and 7),
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "cold_circuit_Use_key" unique ("ColdStorageId", "Use"),
    constraint "cold_circuit_ColdStorageId_fkey" foreign key ("EnterpriseId", "ColdStorageId") references cold_storage ("EnterpriseId", "Id") on delete cascade,
    constraint "cold_circuit_EnergyInfoId_fkey" foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id")
);
create index on cold_circuit ("EnergyInfoId");
create index on cold_circuit ("EnterpriseId");
select penstock_tenant_table('cold_circuit');
