-- A circuit names its first tariff, and may change to others on later days.
alter table energy_info add "PriceStandardId" bigint,
    add constraint "energy_info_PriceStandardId_fkey" foreign key ("EnterpriseId", "PriceStandardId")
        references electricity_price_standard ("EnterpriseId", "Id");
create index on energy_info ("PriceStandardId");
create table energy_tariff (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "EnergyInfoId" bigint not null,
    "PriceStandardId" bigint not null,
    "ValidFrom" text not null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "energy_tariff_ValidFrom_key" unique ("EnergyInfoId", "ValidFrom"),
    constraint "energy_tariff_EnergyInfoId_fkey" foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id") on delete cascade,
    constraint "energy_tariff_PriceStandardId_fkey" foreign key ("EnterpriseId", "PriceStandardId")
        references electricity_price_standard ("EnterpriseId", "Id")
);
create index on energy_tariff ("PriceStandardId");
select penstock_tenant_table('energy_tariff');
