-- How messages of foreign senders become readings, with the earlier versions of each, and what it is assigned to: at most one each.
create table data_parse (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ParseName" text not null,
    "Mapping" jsonb not null,
    "Sample" text,
    "Topic" text,
    "Version" integer not null default 1,
    "Hash" text not null default '',
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "data_parse_ParseName_key" unique ("EnterpriseId", "ParseName")
);
select penstock_tenant_table('data_parse');

create table data_parse_version (
    "EnterpriseId" bigint not null references enterprise,
    "DataParseId" bigint not null,
    "Version" integer not null,
    "Hash" text not null,
    "Mapping" jsonb not null,
    "UserId" bigint references "user" on delete set null,
    "CreateTime" timestamptz not null default now(),
    primary key ("DataParseId", "Version"),
    foreign key ("EnterpriseId", "DataParseId") references data_parse ("EnterpriseId", "Id") on delete cascade
);
create index data_parse_version_user on data_parse_version ("UserId");
select penstock_tenant_table('data_parse_version');

-- Without a cascade from the parse: one that is assigned cannot be deleted.
create table data_parse_project (
    "EnterpriseId" bigint not null references enterprise,
    "DataParseId" bigint not null,
    "ProjectId" bigint not null unique,
    primary key ("DataParseId", "ProjectId"),
    foreign key ("EnterpriseId", "DataParseId") references data_parse ("EnterpriseId", "Id"),
    foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('data_parse_project');
create table data_parse_gateway (
    "EnterpriseId" bigint not null references enterprise,
    "DataParseId" bigint not null,
    "GatewayId" bigint not null unique,
    primary key ("DataParseId", "GatewayId"),
    foreign key ("EnterpriseId", "DataParseId") references data_parse ("EnterpriseId", "Id"),
    foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('data_parse_gateway');
create table data_parse_device (
    "EnterpriseId" bigint not null references enterprise,
    "DataParseId" bigint not null,
    "DeviceId" bigint not null unique,
    primary key ("DataParseId", "DeviceId"),
    foreign key ("EnterpriseId", "DataParseId") references data_parse ("EnterpriseId", "Id"),
    foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('data_parse_device');

update role set "MenuCodes" = "MenuCodes"
    || '{m10504,m10504.add,m10504.edit,m10504.remove,m10504.test,m10504.assign,m10505,m10506,m10507}'::text[]
where "RouteRole" = 'admin';
-- Who sees channels sees parsers; who changes channels tries them.
update role set "MenuCodes" = "MenuCodes" || '{m10504,m10505,m10506,m10507}'::text[]
where "RouteRole" <> 'admin' and 'm10106' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10504.test}'::text[]
where "RouteRole" <> 'admin' and 'm10106.edit' = any("MenuCodes");
