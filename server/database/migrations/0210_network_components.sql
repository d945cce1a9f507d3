-- Doors for foreign senders. Tokens are stored as hashes. A device keeps the name that its sender uses, whatever people call it.
create table network_component (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ComponentName" text not null,
    "Language" smallint not null default 1,
    "GatewayId" bigint not null,
    "Status" smallint not null default 1,
    "DeviceLevel" smallint,
    "Remark" text,
    "TokenHash" bytea not null unique,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    unique ("GatewayId"),
    constraint "network_component_ComponentName_key" unique ("EnterpriseId", "ComponentName"),
    constraint "network_component_GatewayId_fkey" foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id")
);
select penstock_tenant_table('network_component');
alter table device add column "SenderName" text;

update role set "MenuCodes" = "MenuCodes"
    || '{m10501,m10501.add,m10501.edit,m10501.remove,m10501.start,m10501.resetKey}'::text[]
where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10501}'::text[]
where "RouteRole" <> 'admin' and 'm10106' = any("MenuCodes");
