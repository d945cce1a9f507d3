create table project (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ProjectName" text not null,
    "ProjectNo" text,
    "Address" text,
    "Longitude" double precision,
    "Latitude" double precision,
    "BelongOrganId" bigint,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "project_ProjectName_key" unique ("EnterpriseId", "ProjectName"),
    foreign key ("EnterpriseId", "BelongOrganId") references organ ("EnterpriseId", "Id")
);
select penstock_tenant_table('project');
