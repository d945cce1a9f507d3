-- Models of the platform that every company can see and copy, in their newest published version.
-- Protocol: 0 Modbus, 20 DL/T 645-2007, 30 CJ/T 188, 100 SNMP (ruling 46).
alter table pro_model
    add column "Protocol" smallint not null default 0,
    add column "IsShared" smallint not null default 0 check ("IsShared" = 0 or ("IsShared" = 1 and "EnterpriseId" = 1));
create index pro_model_shared on pro_model ("ModelName", "Id") where "IsShared" = 1;
create policy shared on pro_model for select to penstock_tenant using ("EnterpriseId" = 1 and "IsShared" = 1 and "Version" > 0);
create policy shared on model_version for select to penstock_tenant using (
    "EnterpriseId" = 1 and exists (
        select 1 from pro_model m where m."Id" = model_version."ModelId" and m."IsShared" = 1 and m."Version" = model_version."Version"));

-- Shipped models that were added once. The platform may change or delete them afterwards.
create table shipped_model (
    "Key" text primary key,
    "CreateTime" timestamptz not null default now()
);
select penstock_system_table('shipped_model');
