-- Process pictures. Drawings lie beside their rows: lists, change entries and messages carry none.
create table flowchart (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ProjectId" bigint not null,
    "FlowchartName" text not null,
    "PlatformType" smallint not null default 1,
    "State" smallint not null default 0,
    "Version" integer not null default 0,
    "VersionMode" smallint not null default 0,
    "VersionNo" integer,
    "HasChanges" smallint not null default 0 check ("HasChanges" in (0, 1)),
    "Sort" integer not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "flowchart_FlowchartName_key" unique ("ProjectId", "FlowchartName"),
    constraint "flowchart_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id")
);
select penstock_tenant_table('flowchart');

-- What is being drawn, and who draws it.
create table flowchart_draft (
    "FlowchartId" bigint primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Scene" jsonb not null,
    "Stamp" bigint not null,
    "UserId" bigint references "user" ("Id") on delete set null,
    "LeaseUserId" bigint references "user" ("Id") on delete set null,
    "LeaseSession" text,
    "LeaseUntil" timestamptz,
    foreign key ("EnterpriseId", "FlowchartId") references flowchart ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('flowchart_draft');

-- What was published, as it was.
create table flowchart_version (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "FlowchartId" bigint not null,
    "Version" integer not null,
    "Scene" jsonb not null,
    "Items" integer not null,
    "Points" integer not null,
    "Changes" jsonb not null default '[]',
    "Note" text,
    "UserId" bigint references "user" ("Id") on delete set null,
    "CreateTime" timestamptz not null default now(),
    unique ("FlowchartId", "Version"),
    foreign key ("EnterpriseId", "FlowchartId") references flowchart ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('flowchart_version');

update role set "MenuCodes" = "MenuCodes" || '{m10125,m10130,m10132,m10130.add,m10130.edit,m10130.remove,m10130.publish}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10125}'::text[] where "RouteRole" = 'editor' and 'm10108' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10130,m10132}'::text[] where "RouteRole" = 'editor' and 'm10103' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10130.add,m10130.edit,m10130.remove,m10130.publish}'::text[] where "RouteRole" = 'editor' and 'm10103.add' = any("MenuCodes");
