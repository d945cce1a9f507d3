-- What values mean. Tenants read the platform's rows beside their own; row-level security lets nobody else change those.
create table standard_para (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Code" text not null,
    "NameEn" text not null,
    "NameZh" text,
    "NameEs" text,
    "NameJa" text,
    "Category" smallint not null default 1,
    "ValueType" smallint not null default 1,
    "ParaUnitName" text,
    "RangeLow" double precision,
    "RangeHigh" double precision,
    "DecimalDigits" smallint not null default 2,
    "Aggregation" smallint not null default 1,
    "Aliases" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "standard_para_Code_key" unique ("EnterpriseId", "Code")
);
select penstock_tenant_table('standard_para');
create policy shared on standard_para for select to penstock_tenant using ("EnterpriseId" = 1);

update role set "MenuCodes" = "MenuCodes" || '{m10120,m10120.add,m10120.edit,m10120.remove}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10120}'::text[] where "RouteRole" = 'editor' and 'm10110' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10120.add,m10120.edit,m10120.remove}'::text[] where "RouteRole" = 'editor' and 'm10110.add' = any("MenuCodes");
