-- Which event of an order was told by which push setting; "For": the date that was due.
create table mtn_order_told (
    "EnterpriseId" bigint not null references enterprise on delete cascade,
    "OrderId" bigint not null references mtn_maintenance_order on delete cascade,
    "TemplateId" bigint not null references mtn_alm_template on delete cascade,
    "Event" smallint not null,
    "For" timestamptz not null,
    primary key ("OrderId", "TemplateId", "Event", "For")
);
create index on mtn_order_told ("TemplateId");
create index on mtn_order_told ("EnterpriseId");
select penstock_system_table('mtn_order_told');
