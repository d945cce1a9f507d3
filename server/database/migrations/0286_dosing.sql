-- Chemicals that plants dose, and what says how much. The stock is that of a spare part; StockQty follows it.
create table drug_info (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "DrugName" text not null,
    "DrugCode" text not null,
    "ProjectId" bigint not null,
    "DrugType" smallint not null default 1 check ("DrugType" between 1 and 7),
    "Unit" text not null default 'kg' check ("Unit" in ('kg', 'L', 't')),
    "Concentration" numeric(9, 6),
    "Density" numeric(9, 6),
    "Price" bigint,
    "Supplier" text,
    "RegionId" bigint,
    "Source" smallint not null default 2 check ("Source" between 1 and 4),
    "ParaId" bigint,
    "DeviceId" bigint,
    "Multiplier" numeric(18, 6) not null default 1,
    "RunParaId" bigint,
    "PumpRate" numeric(18, 6),
    "WaterParaId" bigint,
    "TankParaId" bigint,
    "TankSize" numeric(15, 3),
    "TankFactor" numeric(18, 6),
    "LeadDays" integer,
    "MinStock" numeric(15, 3),
    "StockQty" numeric(15, 3) not null default 0,
    "ComponentId" bigint,
    "PlaceId" bigint,
    "TargetDose" numeric(15, 6),
    "DoseLow" numeric(15, 6),
    "DoseHigh" numeric(15, 6),
    "FlowParaId" bigint,
    "TurbidityParaId" bigint,
    "ResidualParaId" bigint,
    "Remark" text,
    "Sort" integer not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "drug_info_DrugCode_key" unique ("EnterpriseId", "DrugCode"),
    constraint "drug_info_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id"),
    constraint "drug_info_RegionId_fkey" foreign key ("EnterpriseId", "RegionId") references region ("EnterpriseId", "Id"),
    constraint "drug_info_DeviceId_fkey" foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id") on delete set null ("DeviceId"),
    constraint "drug_info_ParaId_fkey" foreign key ("EnterpriseId", "ParaId") references point ("EnterpriseId", "Id") on delete set null ("ParaId"),
    constraint "drug_info_RunParaId_fkey" foreign key ("EnterpriseId", "RunParaId") references point ("EnterpriseId", "Id") on delete set null ("RunParaId"),
    constraint "drug_info_WaterParaId_fkey" foreign key ("EnterpriseId", "WaterParaId") references point ("EnterpriseId", "Id") on delete set null ("WaterParaId"),
    constraint "drug_info_TankParaId_fkey" foreign key ("EnterpriseId", "TankParaId") references point ("EnterpriseId", "Id") on delete set null ("TankParaId"),
    constraint "drug_info_FlowParaId_fkey" foreign key ("EnterpriseId", "FlowParaId") references point ("EnterpriseId", "Id") on delete set null ("FlowParaId"),
    constraint "drug_info_TurbidityParaId_fkey" foreign key ("EnterpriseId", "TurbidityParaId") references point ("EnterpriseId", "Id") on delete set null ("TurbidityParaId"),
    constraint "drug_info_ResidualParaId_fkey" foreign key ("EnterpriseId", "ResidualParaId") references point ("EnterpriseId", "Id") on delete set null ("ResidualParaId"),
    constraint "drug_info_ComponentId_fkey" foreign key ("EnterpriseId", "ComponentId") references mtn_component ("EnterpriseId", "Id"),
    constraint "drug_info_PlaceId_fkey" foreign key ("EnterpriseId", "PlaceId") references mtn_place ("EnterpriseId", "Id")
);
create index on drug_info ("ProjectId");
create index on drug_info ("RegionId");
create index on drug_info ("DeviceId");
create index on drug_info ("ParaId");
create index on drug_info ("RunParaId");
create index on drug_info ("WaterParaId");
create index on drug_info ("TankParaId");
create index on drug_info ("FlowParaId");
create index on drug_info ("TurbidityParaId");
create index on drug_info ("ResidualParaId");
create index on drug_info ("ComponentId");
create index on drug_info ("PlaceId");
select penstock_tenant_table('drug_info');

create function penstock_drug_stock() returns trigger language plpgsql as $$
begin
    update drug_info set "StockQty" = new."StockQty" where "ComponentId" = new."Id";
    return null;
end $$;
create trigger mtn_component_drug after update of "StockQty" on mtn_component for each row
    when (old."StockQty" <> new."StockQty") execute function penstock_drug_stock();

-- What people enter. A chemical with entries is not removed.
create table drug_info_data (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "DrugInfoId" bigint not null,
    "DataTime" timestamptz not null,
    "CycleType" smallint not null default 2 check ("CycleType" between 1 and 3),
    "Value" numeric(18, 3) not null check ("Value" >= 0),
    "WaterValue" numeric(18, 3) check ("WaterValue" >= 0),
    "Operator" text,
    "Batch" text,
    "Remark" text,
    "Source" smallint not null default 1,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "drug_info_data_DataTime_key" unique ("DrugInfoId", "CycleType", "DataTime"),
    constraint "drug_info_data_DrugInfoId_fkey" foreign key ("EnterpriseId", "DrugInfoId") references drug_info ("EnterpriseId", "Id")
);
create index on drug_info_data ("DrugInfoId", "DataTime");
select penstock_tenant_table('drug_info_data');

-- Batches that came. Money is in billionths of the currency.
create table drug_delivery (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "DrugInfoId" bigint not null,
    "DeliverTime" timestamptz not null,
    "BatchNo" text not null,
    "Qty" numeric(15, 3) not null check ("Qty" > 0),
    "Concentration" numeric(9, 6),
    "Price" bigint,
    "SupplierName" text,
    "Files" jsonb,
    "Status" smallint not null default 1 check ("Status" between 0 and 2),
    "Remark" text,
    -- Of a proposal: when the level began to rise.
    "RiseTime" timestamptz,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "drug_delivery_RiseTime_key" unique ("DrugInfoId", "RiseTime"),
    constraint "drug_delivery_DrugInfoId_fkey" foreign key ("EnterpriseId", "DrugInfoId") references drug_info ("EnterpriseId", "Id")
);
create index on drug_delivery ("DrugInfoId", "DeliverTime");
select penstock_tenant_table('drug_delivery');

-- What of a day's consumption is in the ledger of the stock.
create table drug_day (
    "EnterpriseId" bigint not null references enterprise,
    "DrugInfoId" bigint not null,
    "Day" date not null,
    "Qty" numeric(15, 3) not null check ("Qty" >= 0),
    primary key ("DrugInfoId", "Day"),
    foreign key ("EnterpriseId", "DrugInfoId") references drug_info ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('drug_day');
create index drug_day_tenant on drug_day ("EnterpriseId");

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m107,m10721,m10721.cost,m10722,m10722.add,m10722.edit,m10722.remove,m10722.stock,m10723,m10723.export,m10724,m10724.add,m10724.edit,m10724.remove,m10724.import,m10725,m10725.add,m10725.edit,m10725.stock,m10329}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
-- Whoever looks at circuits looks at chemicals, too; maintainers do not.
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m107,m10721,m10722,m10723,m10724,m10725,m10329}'::text[]) code)
    where "RouteRole" is distinct from 'admin' and 'm10701' = any("MenuCodes") and not 'm10721' = any("MenuCodes")
    and "RoleName" not in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
