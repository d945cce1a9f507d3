-- The currency of a company's money, by the language it was set up in.
alter table enterprise add column "CurrencyCode" text not null default 'USD';
update enterprise set "CurrencyCode" = case "Language" when 'zh' then 'CNY' when 'ja' then 'JPY' when 'es' then 'EUR' else 'USD' end;

-- Where spare parts lie.
create table mtn_place (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "PlaceName" text not null,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_place_PlaceName_key" unique ("EnterpriseId", "PlaceName")
);
select penstock_tenant_table('mtn_place');

-- Spare parts. Money is in billionths of the currency, quantities in thousandths of the unit.
create table mtn_component (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ComponentName" text not null,
    "ComponentNo" text not null,
    "Status" smallint not null default 1,
    "Category" text,
    "Spec" text,
    "Unit" text not null default 'pcs',
    "Brand" text,
    "SupplierName" text,
    "LeadDays" integer,
    "MinQty" numeric(15, 3),
    "MaxQty" numeric(15, 3),
    "Price" bigint,
    "StockQty" numeric(15, 3) not null default 0 check ("StockQty" >= 0),
    "IsLow" smallint not null generated always as (case when "Status" = 1 and "StockQty" < "MinQty" then 1 else 0 end) stored,
    "LifeHours" integer,
    "Picture" jsonb,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_component_ComponentNo_key" unique ("EnterpriseId", "ComponentNo")
);
create index on mtn_component ("EnterpriseId", "ComponentName");
create index on mtn_component ("EnterpriseId") where "IsLow" = 1;
select penstock_tenant_table('mtn_component');

-- What lies where, and how many movements there were.
create table mtn_component_stock (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ComponentId" bigint not null,
    "PlaceId" bigint not null,
    "Qty" numeric(15, 3) not null default 0 check ("Qty" >= 0),
    "Seq" integer not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    unique ("ComponentId", "PlaceId"),
    constraint "mtn_component_stock_ComponentId_fkey" foreign key ("EnterpriseId", "ComponentId") references mtn_component ("EnterpriseId", "Id"),
    constraint "mtn_component_stock_PlaceId_fkey" foreign key ("EnterpriseId", "PlaceId") references mtn_place ("EnterpriseId", "Id")
);
create index on mtn_component_stock ("PlaceId");
select penstock_tenant_table('mtn_component_stock');

-- The ledger. A movement is never changed and never removed.
create table mtn_component_record (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Time" timestamptz not null,
    "ComponentId" bigint not null,
    "PlaceId" bigint not null,
    "RecordType" smallint not null check ("RecordType" between 1 and 7),
    "Qty" numeric(15, 3) not null check ("Qty" > 0),
    "BeforeQty" numeric(15, 3) not null check ("BeforeQty" >= 0),
    "AfterQty" numeric(15, 3) not null check ("AfterQty" >= 0),
    "Price" bigint not null,
    "OtherPlaceId" bigint,
    "CountTime" timestamptz,
    "UserId" bigint,
    "Remark" text,
    "Seq" integer not null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    check (abs("AfterQty" - "BeforeQty") = "Qty"),
    unique ("EnterpriseId", "Id"),
    unique ("ComponentId", "PlaceId", "Seq"),
    constraint "mtn_component_record_ComponentId_fkey" foreign key ("EnterpriseId", "ComponentId") references mtn_component ("EnterpriseId", "Id"),
    constraint "mtn_component_record_PlaceId_fkey" foreign key ("EnterpriseId", "PlaceId") references mtn_place ("EnterpriseId", "Id"),
    constraint "mtn_component_record_OtherPlaceId_fkey" foreign key ("EnterpriseId", "OtherPlaceId") references mtn_place ("EnterpriseId", "Id"),
    constraint "mtn_component_record_UserId_fkey" foreign key ("UserId") references "user" on delete set null
);
create index on mtn_component_record ("EnterpriseId", "Id");
create index on mtn_component_record ("ComponentId", "Time");
create index on mtn_component_record ("PlaceId");
create index on mtn_component_record ("OtherPlaceId");
create index on mtn_component_record ("UserId");
select penstock_tenant_table('mtn_component_record');
revoke update, delete on mtn_component_record from penstock_tenant;

-- Of which parts the devices of a model consist.
create table mtn_component_compo (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "DeviceModelId" bigint not null,
    "ParentComponentId" bigint,
    "ComponentId" bigint not null,
    "Qty" numeric(15, 3) not null default 1,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_component_compo_ComponentId_key" unique ("EnterpriseId", "DeviceModelId", "ComponentId"),
    constraint "mtn_component_compo_DeviceModelId_fkey" foreign key ("EnterpriseId", "DeviceModelId") references pro_model ("EnterpriseId", "Id"),
    constraint "mtn_component_compo_ParentComponentId_fkey" foreign key ("EnterpriseId", "ParentComponentId") references mtn_component ("EnterpriseId", "Id"),
    constraint "mtn_component_compo_ComponentId_fkey" foreign key ("EnterpriseId", "ComponentId") references mtn_component ("EnterpriseId", "Id")
);
create index on mtn_component_compo ("ParentComponentId");
create index on mtn_component_compo ("ComponentId");
select penstock_tenant_table('mtn_component_compo');

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m10607,m10607.add,m10607.edit,m10607.remove,m10607.stock,m10607.stocktake,m10607.cost,m10608,m10614,m10614.add,m10614.edit,m10614.remove,m10615}'::text[]) code)
    where "RouteRole" = 'admin';
-- Maintainers keep the store; what things cost and what was counted is the manager's.
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m106,m10607,m10607.add,m10607.edit,m10607.remove,m10607.stock,m10608,m10614,m10614.add,m10614.edit,m10614.remove,m10615}'::text[]) code)
    where "RouteRole" = 'editor' and "RoleName" in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m106,m10607,m10608,m10614,m10615}'::text[]) code)
    where "RouteRole" = 'editor' and 'm10205' = any("MenuCodes") and not 'm10607' = any("MenuCodes");
