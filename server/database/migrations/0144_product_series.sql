-- Machines that are built alike.
create table product_series (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "SeriesName" text not null,
    "SeriesNo" text,
    "TemplateProjectId" bigint,
    "GatewayTypeId" integer not null default 1,
    "SubTypeId" integer default 1,
    "Picture" jsonb,
    "WarrantyMonths" integer,
    "Enabled" smallint not null default 1,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "product_series_SeriesName_key" unique ("EnterpriseId", "SeriesName"),
    constraint "product_series_SeriesNo_key" unique ("EnterpriseId", "SeriesNo"),
    constraint "product_series_TemplateProjectId_fkey" foreign key ("EnterpriseId", "TemplateProjectId") references project ("EnterpriseId", "Id")
);
select penstock_tenant_table('product_series');
create index product_series_template on product_series ("TemplateProjectId");

-- A task makes a project for each of its serial numbers. Columns that project_task has mean the same here.
create table product_task (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TaskName" text not null,
    "Kind" smallint not null default 1,
    "SeriesId" bigint,
    "TemplateProjectId" bigint,
    "NameRule" text not null,
    "Status" smallint not null default 0,
    "StopReason" smallint,
    "Total" integer not null default 0,
    "Done" integer not null default 0,
    "Failed" integer not null default 0,
    "Failing" smallint not null default 0,
    "FailedBefore" integer not null default 0,
    "StopAfter" integer not null default 1000,
    "PlannedTime" timestamptz,
    "UntilTime" timestamptz,
    "ServedTime" timestamptz,
    "StartTime" timestamptz,
    "EndTime" timestamptz,
    "UserId" bigint references "user" ("Id") on delete set null,
    "RoleId" bigint,
    "Language" text not null default 'en',
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "product_task_SeriesId_fkey" foreign key ("EnterpriseId", "SeriesId") references product_series ("EnterpriseId", "Id") on delete set null ("SeriesId"),
    constraint "product_task_TemplateProjectId_fkey" foreign key ("EnterpriseId", "TemplateProjectId") references project ("EnterpriseId", "Id") on delete set null ("TemplateProjectId")
);
select penstock_tenant_table('product_task');
create index product_task_unfinished on product_task ("EnterpriseId") where "Status" in (0, 1, 2);
create index product_task_series on product_task ("SeriesId");
create index product_task_template on product_task ("TemplateProjectId");

create table product_task_row (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TaskId" bigint not null,
    "SN" text not null,
    "ProjectName" text not null,
    "ProjectId" bigint references project ("Id") on delete set null,
    "Status" smallint not null default 0,
    "Reason" text,
    "StartTime" timestamptz,
    "EndTime" timestamptz,
    "UserId" bigint references "user" ("Id") on delete set null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "product_task_row_TaskId_fkey" foreign key ("EnterpriseId", "TaskId") references product_task ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('product_task_row');
create index product_task_row_task on product_task_row ("TaskId", "Status");
create index product_task_row_project on product_task_row ("ProjectId");

update role set "MenuCodes" = "MenuCodes" || '{m12006,m12006.add,m12006.edit,m12006.remove,m12007,m12007.add,m12007.run,m12007.remove}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m12006}'::text[] where "RouteRole" <> 'admin' and 'm12001' = any("MenuCodes");
