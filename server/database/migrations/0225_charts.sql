-- Charts that people save: a group of points, how it is drawn, over which time until now.
create table saved_chart (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ChartName" text not null,
    "GroupId" bigint not null,
    "Kind" text not null default 'bars',
    "Unit" text not null default 'day',
    "Span" text not null default '7d',
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "saved_chart_ChartName_key" unique ("EnterpriseId", "ChartName"),
    constraint "saved_chart_GroupId_fkey" foreign key ("EnterpriseId", "GroupId") references report_group ("EnterpriseId", "Id")
);
select penstock_tenant_table('saved_chart');
create index saved_chart_group on saved_chart ("GroupId");

update role set "MenuCodes" = "MenuCodes" || '{m10318,m10319,m10320,m10320.add,m10320.edit,m10320.remove,m10321,m10324,m10326,m10327,m10328}'::text[]
where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10318,m10319,m10320,m10321,m10326,m10327,m10328}'::text[]
where "RouteRole" is distinct from 'admin' and 'm10301' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10324}'::text[]
where "RouteRole" is distinct from 'admin' and 'm10204' = any("MenuCodes");
