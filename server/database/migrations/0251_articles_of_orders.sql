-- An article that was drafted from an order: one for each.
alter table mtn_knowledge_base add "OrderId" bigint unique references mtn_maintenance_order on delete set null;
