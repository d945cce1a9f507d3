-- Configurations that gateways have accepted. A content is there once, whatever the number of its versions; PostgreSQL compresses it.
create table config_content (
    "EnterpriseId" bigint not null references enterprise,
    "GatewayId" bigint not null references gateway ("Id") on delete cascade,
    "Hash" text not null,
    "Content" jsonb not null,
    primary key ("GatewayId", "Hash")
);
select penstock_tenant_table('config_content');

create table config_version (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "GatewayId" bigint not null references gateway ("Id") on delete cascade,
    "Version" integer not null,
    "Hash" text not null,
    "HeartbeatPeriod" integer not null,
    "PushTime" timestamptz not null default now(),
    "UserId" bigint references "user" ("Id") on delete set null,
    "Devices" integer not null,
    "Points" integer not null,
    "Label" text,
    "Note" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "config_version_Version_key" unique ("GatewayId", "Version")
);
select penstock_tenant_table('config_version');

update role set "MenuCodes" = "MenuCodes" || '{m10102.resetConfig}'::text[] where 'm10102.push' = any("MenuCodes") and 'm10103.edit' = any("MenuCodes");
