-- The order that a part was taken for, or came back from.
alter table mtn_component_record add column "OrderId" bigint,
    add constraint "mtn_component_record_OrderId_fkey" foreign key ("EnterpriseId", "OrderId") references mtn_maintenance_order ("EnterpriseId", "Id");
create index on mtn_component_record ("OrderId");
