-- Parts that phones took without signal and that the stock did not cover, until a store keeper settles them.
create table mtn_stock_difference (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Time" timestamptz not null,
    "ComponentId" bigint not null,
    "PlaceId" bigint not null,
    "Qty" numeric(15, 3) not null check ("Qty" > 0),
    "StockQty" numeric(15, 3) not null,
    "OrderId" bigint,
    "UpKeepOrderId" bigint,
    "CheckOrderId" bigint,
    "UserId" bigint,
    "Status" smallint not null default 0,
    "SettleUserId" bigint,
    "SettleTime" timestamptz,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_stock_difference_ComponentId_fkey" foreign key ("EnterpriseId", "ComponentId") references mtn_component ("EnterpriseId", "Id"),
    constraint "mtn_stock_difference_PlaceId_fkey" foreign key ("EnterpriseId", "PlaceId") references mtn_place ("EnterpriseId", "Id"),
    constraint "mtn_stock_difference_OrderId_fkey" foreign key ("EnterpriseId", "OrderId") references mtn_maintenance_order ("EnterpriseId", "Id"),
    constraint "mtn_stock_difference_UpKeepOrderId_fkey" foreign key ("EnterpriseId", "UpKeepOrderId") references mtn_up_keep_order ("EnterpriseId", "Id"),
    constraint "mtn_stock_difference_CheckOrderId_fkey" foreign key ("EnterpriseId", "CheckOrderId") references mtn_check_order ("EnterpriseId", "Id"),
    constraint "mtn_stock_difference_UserId_fkey" foreign key ("UserId") references "user" on delete set null,
    constraint "mtn_stock_difference_SettleUserId_fkey" foreign key ("SettleUserId") references "user" on delete set null
);
create index on mtn_stock_difference ("EnterpriseId", "Id");
create index on mtn_stock_difference ("ComponentId");
create index on mtn_stock_difference ("PlaceId");
create index on mtn_stock_difference ("OrderId");
create index on mtn_stock_difference ("UpKeepOrderId");
create index on mtn_stock_difference ("CheckOrderId");
create index on mtn_stock_difference ("UserId");
create index on mtn_stock_difference ("SettleUserId");
select penstock_tenant_table('mtn_stock_difference');

-- Who sees movements sees them, and who moves stock settles them.
update role set "MenuCodes" = "MenuCodes" || '{m10622}'::text[] where 'm10608' = any("MenuCodes") and not 'm10622' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10622.settle}'::text[] where 'm10607.stock' = any("MenuCodes") and not 'm10622.settle' = any("MenuCodes");
