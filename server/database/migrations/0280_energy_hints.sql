-- Hints that somebody found of no use, by circuit and rule.
create table energy_hint_mute (
    "EnterpriseId" bigint not null references enterprise,
    "EnergyInfoId" bigint not null,
    "Rule" text not null,
    "MutedBy" text,
    primary key ("EnergyInfoId", "Rule"),
    foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('energy_hint_mute');
create index energy_hint_mute_tenant on energy_hint_mute ("EnterpriseId");
