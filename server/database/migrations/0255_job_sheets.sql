-- A repair order has a checklist with results, and an article one for orders of its fault.
alter table mtn_maintenance_order
    add "Items" jsonb,
    add "Results" jsonb,
    add "AbnormalCount" integer not null default 0;
alter table mtn_knowledge_base add "Items" jsonb;
