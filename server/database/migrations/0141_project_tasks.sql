-- Work on many gateways or devices, and a row for each of them.
create table project_task (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TaskName" text not null,
    "Kind" smallint not null,
    "Status" smallint not null default 0,
    "StopReason" smallint,
    "Total" integer not null default 0,
    "Done" integer not null default 0,
    "Failed" integer not null default 0,
    "Failing" smallint not null default 0,
    -- Failures that somebody has seen and resumed after.
    "FailedBefore" integer not null default 0,
    "StopAfter" integer not null default 1,
    "PlannedTime" timestamptz,
    "UntilTime" timestamptz,
    -- When it last ran a few rows; tasks take turns by it.
    "ServedTime" timestamptz,
    "ModelId" bigint,
    "RemoveGone" smallint not null default 0 check ("RemoveGone" in (0, 1)),
    "StartTime" timestamptz,
    "EndTime" timestamptz,
    "UserId" bigint references "user" ("Id") on delete set null,
    -- The only role that its person acted as.
    "RoleId" bigint,
    "Language" text not null default 'en',
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "project_task_ModelId_fkey" foreign key ("EnterpriseId", "ModelId") references pro_model ("EnterpriseId", "Id") on delete set null ("ModelId")
);
select penstock_tenant_table('project_task');
create index project_task_unfinished on project_task ("EnterpriseId") where "Status" in (0, 1, 2);

create table project_task_row (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TaskId" bigint not null,
    "Target" text not null,
    "GatewayId" bigint references gateway ("Id") on delete set null,
    "DeviceId" bigint references device ("Id") on delete set null,
    "Status" smallint not null default 0,
    "Reason" text,
    "StartTime" timestamptz,
    "EndTime" timestamptz,
    "UserId" bigint references "user" ("Id") on delete set null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "project_task_row_TaskId_fkey" foreign key ("EnterpriseId", "TaskId") references project_task ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('project_task_row');
create index project_task_row_task on project_task_row ("TaskId", "Status");
create index project_task_row_gateway on project_task_row ("GatewayId");
create index project_task_row_device on project_task_row ("DeviceId");

update role set "MenuCodes" = "MenuCodes" || '{m10124,m10124.add,m10124.edit,m10124.remove,m10124.run}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10124}'::text[] where "RouteRole" = 'editor' and 'm10102' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10124.add,m10124.edit,m10124.remove,m10124.run}'::text[]
where "RouteRole" = 'editor' and 'm10102.push' = any("MenuCodes");
