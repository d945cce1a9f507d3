-- Invoices of suppliers, entered by hand.
create table energy_bill (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "BillNo" text not null,
    "EnergyInfoId" bigint not null,
    "SupplierName" text,
    "StartDate" text not null,
    "EndDate" text not null,
    "BillLines" jsonb not null default '[]',
    "TotalAmount" bigint,
    "Files" jsonb,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "energy_bill_BillNo_key" unique ("EnterpriseId", "BillNo"),
    constraint "energy_bill_EnergyInfoId_fkey" foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id")
);
create index on energy_bill ("EnergyInfoId");
select penstock_tenant_table('energy_bill');

-- Managers and editors check bills. Viewers see no money.
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m107,m10712,m10712.add,m10712.edit,m10712.remove,m10712.cost}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
