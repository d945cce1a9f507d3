-- Templates of process pictures, and their categories. The drawing lies in a column that lists do not read.
create table flow_chart_template_menu (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "MenuName" text not null,
    "NameEn" text,
    "NameZh" text,
    "NameEs" text,
    "NameJa" text,
    "ParentId" bigint,
    "Sort" integer not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "flow_chart_template_menu_MenuName_key" unique nulls not distinct ("EnterpriseId", "ParentId", "MenuName"),
    constraint "flow_chart_template_menu_ParentId_fkey" foreign key ("EnterpriseId", "ParentId") references flow_chart_template_menu ("EnterpriseId", "Id")
);
create index flow_chart_template_menu_parent on flow_chart_template_menu ("ParentId");
select penstock_tenant_table('flow_chart_template_menu');

create table flow_chart_template (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TemplateName" text not null,
    "FlowchartId" bigint references flowchart ("Id") on delete set null,
    "MenuId" bigint,
    "PlatformType" smallint not null default 1,
    "Sort" integer not null default 0,
    "Remark" text,
    "Scene" jsonb not null default '{}',
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "flow_chart_template_TemplateName_key" unique ("EnterpriseId", "TemplateName"),
    constraint "flow_chart_template_MenuId_fkey" foreign key ("EnterpriseId", "MenuId") references flow_chart_template_menu ("EnterpriseId", "Id")
);
create index flow_chart_template_menu_of on flow_chart_template ("MenuId") where "MenuId" is not null;
create index flow_chart_template_flowchart on flow_chart_template ("FlowchartId") where "FlowchartId" is not null;
select penstock_tenant_table('flow_chart_template');

alter table flowchart add "FlowChartTemplateId" bigint references flow_chart_template ("Id") on delete set null;
create index flowchart_template on flowchart ("FlowChartTemplateId") where "FlowChartTemplateId" is not null;

update role set "MenuCodes" = "MenuCodes" || '{m10131,m10131.add,m10131.edit,m10131.remove,m10133,m10133.add,m10133.edit,m10133.remove}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10131}'::text[] where "RouteRole" = 'editor' and 'm10130' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10131.add,m10131.edit,m10131.remove}'::text[] where "RouteRole" = 'editor' and 'm10130.add' = any("MenuCodes");
