-- Faults that people report without signing in, by the label of a machine. A higher number ends the labels of before.
alter table mtn_equipment add "LabelNo" integer not null default 0;
create table mtn_report (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise on delete cascade,
    "EquipmentId" bigint not null,
    "OrderId" bigint not null references mtn_maintenance_order on delete cascade,
    -- Opens the state.
    "TokenHash" text not null unique,
    "CreateTime" timestamptz not null default clock_timestamp(),
    constraint "mtn_report_EquipmentId_fkey" foreign key ("EnterpriseId", "EquipmentId") references mtn_equipment ("EnterpriseId", "Id") on delete cascade
);
create index mtn_report_machine on mtn_report ("EquipmentId", "CreateTime");
create index mtn_report_tenant on mtn_report ("EnterpriseId", "CreateTime");
create index mtn_report_order on mtn_report ("OrderId");
select penstock_tenant_table('mtn_report');
