-- Values that are worked out from points. Ids come from the points' sequence: calls of the analysis take both.
create table formula_point (
    "Id" bigint primary key default nextval('"point_Id_seq"'),
    "EnterpriseId" bigint not null references enterprise,
    "FormulaName" text not null,
    "ProjectId" bigint not null,
    "Expression" text not null,
    "ParaUnitName" text,
    "DecimalDigits" smallint not null default 2,
    "CalDataType" smallint not null default 0,
    "PointIds" jsonb not null default '[]',
    "FormulaIds" jsonb not null default '[]',
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "formula_point_FormulaName_key" unique ("ProjectId", "FormulaName"),
    constraint "formula_point_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('formula_point');
create index formula_point_tenant on formula_point ("EnterpriseId");
grant usage on sequence "point_Id_seq" to penstock_tenant, penstock_platform;

update role set "MenuCodes" = "MenuCodes" || '{m10309,m10313,m10313.add,m10313.edit,m10313.remove}'::text[]
where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10309,m10313}'::text[]
where "RouteRole" is distinct from 'admin' and 'm10301' = any("MenuCodes");
