-- Parts that orders reserve, labor, rates and what an order costs.
create table mtn_order_part (
    "EnterpriseId" bigint not null references enterprise,
    "OrderId" bigint not null references mtn_maintenance_order on delete cascade,
    "ComponentId" bigint not null references mtn_component on delete cascade,
    "Qty" numeric(15, 3) not null check ("Qty" > 0),
    primary key ("OrderId", "ComponentId")
);
create index on mtn_order_part ("ComponentId");
create index on mtn_order_part ("EnterpriseId");
select penstock_tenant_table('mtn_order_part');

create table mtn_order_labor (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "OrderId" bigint not null references mtn_maintenance_order on delete cascade,
    "UserId" bigint references "user" on delete set null,
    "StartTime" timestamptz not null,
    "EndTime" timestamptz
);
create index on mtn_order_labor ("OrderId");
create index on mtn_order_labor ("EnterpriseId");
create unique index mtn_order_labor_runs on mtn_order_labor ("OrderId", "UserId") where "EndTime" is null;
select penstock_tenant_table('mtn_order_labor');

create table mtn_labor_rate (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "RateName" text not null,
    "RoleId" bigint not null,
    "ValidFrom" text not null,
    "Rate" bigint not null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_labor_rate_RateName_key" unique ("EnterpriseId", "RateName"),
    constraint "mtn_labor_rate_RoleId_fkey" foreign key ("EnterpriseId", "RoleId") references role ("EnterpriseId", "Id")
);
create index on mtn_labor_rate ("EnterpriseId", "RoleId", "ValidFrom");
select penstock_tenant_table('mtn_labor_rate');

-- Billionths of the company's currency.
alter table mtn_maintenance_order
    add "PartsCost" bigint,
    add "LaborCost" bigint,
    add "TravelCost" bigint,
    add "OutsideCost" bigint;
alter table mtn_maintenance_order
    add "Cost" bigint not null generated always as (coalesce("PartsCost", 0) + coalesce("LaborCost", 0) + coalesce("TravelCost", 0) + coalesce("OutsideCost", 0)) stored;

-- Rates are the manager's.
update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m10619,m10619.add,m10619.edit,m10619.remove}'::text[]) code where not code = any("MenuCodes"))
where "RouteRole" = 'admin';

-- When planned orders were made is their report.
drop index mtn_up_keep_order_made, mtn_check_order_made;
create index mtn_up_keep_order_made on mtn_up_keep_order ("EnterpriseId", "ReportTime");
create index mtn_check_order_made on mtn_check_order ("EnterpriseId", "ReportTime");
