-- What checks of points found. A report outlives its devices and points.
create table point_check (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TaskId" bigint not null,
    "DeviceId" bigint references device ("Id") on delete set null,
    "Target" text not null,
    "ParaName" text not null,
    "Address" text,
    "Value" double precision,
    "ParaUnitName" text,
    "Finding" smallint not null default 0,
    "RangeLow" double precision,
    "RangeHigh" double precision,
    "ReadTime" timestamptz,
    "UserId" bigint references "user" ("Id") on delete set null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "point_check_TaskId_fkey" foreign key ("EnterpriseId", "TaskId") references project_task ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('point_check');
create index point_check_task on point_check ("TaskId", "Finding", "Id");
create index point_check_device on point_check ("DeviceId");
create index project_task_checks on project_task ("EnterpriseId", "Id") where "Kind" = 3;
