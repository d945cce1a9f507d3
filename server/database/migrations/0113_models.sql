-- Models of devices: a device may be of one of its tenant's, and a rule may mean all devices of one.
create table pro_model (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ModelName" text not null,
    "ModelNo" text,
    "Brand" text,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "pro_model_ModelName_key" unique ("EnterpriseId", "ModelName")
);
create index pro_model_brand on pro_model ("EnterpriseId", "Brand");
select penstock_tenant_table('pro_model');

alter table device
    add column "ModelId" bigint,
    add constraint "device_ModelId_fkey" foreign key ("EnterpriseId", "ModelId") references pro_model ("EnterpriseId", "Id");
create index device_model on device ("ModelId", "Id") where "ModelId" is not null;

update role set "MenuCodes" = "MenuCodes" || '{m10110,m10110.add,m10110.edit,m10110.remove}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10110}'::text[] where "RouteRole" = 'editor' and 'm10102' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10110.add,m10110.edit,m10110.remove}'::text[] where "RouteRole" = 'editor' and 'm10103.add' = any("MenuCodes");
