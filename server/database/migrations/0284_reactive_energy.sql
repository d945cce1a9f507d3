-- The circuit that counts the reactive energy of another one, for the power factor of its months.
alter table energy_info
    add "ReactiveInfoId" bigint,
    add constraint "energy_info_ReactiveInfoId_fkey" foreign key ("EnterpriseId", "ReactiveInfoId") references energy_info ("EnterpriseId", "Id");
create index on energy_info ("ReactiveInfoId");
