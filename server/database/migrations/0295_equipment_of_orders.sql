-- What a repair is about, also where it is no device: a roof, a fire extinguisher. All empty so far: nothing to validate.
alter table mtn_maintenance_order
    add "EquipmentId" bigint,
    add constraint "mtn_maintenance_order_EquipmentId_fkey" foreign key ("EnterpriseId", "EquipmentId") references mtn_equipment ("EnterpriseId", "Id")
        on delete set null ("EquipmentId") not valid;
create index on mtn_maintenance_order ("EquipmentId", "Id" desc) where "EquipmentId" is not null;
