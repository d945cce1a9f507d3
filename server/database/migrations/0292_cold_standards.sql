-- What checks of each kind of cold room ask for, where a company asks for something else than usual.
create table cold_standard (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "StorageType" smallint not null check ("StorageType" between 1 and 7),
    "Standard" jsonb not null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "StorageType")
);
select penstock_tenant_table('cold_standard');

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m10733,m10733.edit}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
update role set "MenuCodes" = "MenuCodes" || array['m10733']
    where 'm10731' = any("MenuCodes") and not 'm10733' = any("MenuCodes");
