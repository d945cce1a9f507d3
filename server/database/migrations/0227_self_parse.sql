-- Protocols that people describe without code.
create table self_parse (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "CustomName" text not null,
    "Frame" jsonb not null,
    "Requests" jsonb not null,
    "Sample" text,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "self_parse_CustomName_key" unique ("EnterpriseId", "CustomName")
);
select penstock_tenant_table('self_parse');

update role set "MenuCodes" = "MenuCodes" || '{m10503,m10503.add,m10503.edit,m10503.remove,m10503.test}'::text[]
where "RouteRole" = 'admin';
-- Who sees channels sees described protocols; who changes channels tries them.
update role set "MenuCodes" = "MenuCodes" || '{m10503}'::text[]
where "RouteRole" <> 'admin' and 'm10106' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10503.test}'::text[]
where "RouteRole" <> 'admin' and 'm10106.edit' = any("MenuCodes");
