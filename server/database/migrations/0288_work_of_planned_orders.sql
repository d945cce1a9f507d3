-- Parts, labor and their cost belong to upkeep orders and patrol rounds, too. Their Ids and those of repairs are of one sequence.
alter table mtn_order_part drop constraint "mtn_order_part_OrderId_fkey";
alter table mtn_order_labor drop constraint "mtn_order_labor_OrderId_fkey";

-- All empty so far: nothing to validate.
alter table mtn_component_record
    add "UpKeepOrderId" bigint,
    add "CheckOrderId" bigint,
    add constraint "mtn_component_record_UpKeepOrderId_fkey" foreign key ("EnterpriseId", "UpKeepOrderId") references mtn_up_keep_order ("EnterpriseId", "Id") not valid,
    add constraint "mtn_component_record_CheckOrderId_fkey" foreign key ("EnterpriseId", "CheckOrderId") references mtn_check_order ("EnterpriseId", "Id") not valid;
create index on mtn_component_record ("UpKeepOrderId") where "UpKeepOrderId" is not null;
create index on mtn_component_record ("CheckOrderId") where "CheckOrderId" is not null;

-- Billionths of the company's currency.
alter table mtn_up_keep_order add "LaborHours" double precision, add "PartsCost" bigint, add "LaborCost" bigint;
alter table mtn_check_order add "LaborHours" double precision, add "PartsCost" bigint, add "LaborCost" bigint;
