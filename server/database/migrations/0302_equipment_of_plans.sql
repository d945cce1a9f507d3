-- Plans, their orders, tags and articles name equipment, also where it is no device. All empty so far: nothing to validate.
alter table mtn_up_keep_plan add "EquipmentIds" jsonb;
alter table mtn_check_plan add "EquipmentIds" jsonb;
-- Orders outlive their machine.
alter table mtn_up_keep_order add "EquipmentId" bigint;
alter table mtn_check_order add "EquipmentId" bigint;
create index on mtn_up_keep_order ("EquipmentId") where "EquipmentId" is not null;
create index on mtn_check_order ("EquipmentId") where "EquipmentId" is not null;
alter table pro_rfid_info
    add "EquipmentId" bigint,
    add constraint "pro_rfid_info_EquipmentId_fkey" foreign key ("EnterpriseId", "EquipmentId") references mtn_equipment ("EnterpriseId", "Id")
        on delete set null ("EquipmentId") not valid;
create index on pro_rfid_info ("EquipmentId") where "EquipmentId" is not null;
alter table mtn_knowledge_base
    add "EquipmentId" bigint,
    add constraint "mtn_knowledge_base_EquipmentId_fkey" foreign key ("EnterpriseId", "EquipmentId") references mtn_equipment ("EnterpriseId", "Id")
        on delete set null ("EquipmentId") not valid;
create index on mtn_knowledge_base ("EquipmentId") where "EquipmentId" is not null;

-- One order for a plan, a machine and a time, or a multiple of the counter's step, also where the machine is no device.
do $$
declare t text; column_name text; suffix text;
begin
    foreach t in array '{mtn_up_keep_order,mtn_check_order}'::text[] loop
        foreach suffix in array '{once,multiple}'::text[] loop
            column_name := case suffix when 'once' then 'PlanTime' else 'HourMultiple' end;
            execute format('drop index %I', t || '_' || suffix);
            execute format('create unique index %I on %I ("PlanId", (coalesce("DeviceId", -"EquipmentId", 0)), %I) where "PlanId" is not null and %I is not null',
                t || '_' || suffix, t, column_name, column_name);
        end loop;
    end loop;
end $$;
