-- Points that people look at together. IsShared 0: only who made it sees it.
create table report_group (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "GroupName" text not null,
    "GroupType" smallint not null default 1,
    "ProjectId" bigint,
    "IsShared" smallint not null default 1,
    "UserId" bigint references "user" on delete set null,
    "Points" jsonb not null default '[]',
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "report_group_GroupName_key" unique ("EnterpriseId", "GroupName"),
    constraint "report_group_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id")
);
select penstock_tenant_table('report_group');
create index report_group_project on report_group ("ProjectId");
create index report_group_user on report_group ("UserId");

update role set "MenuCodes" = "MenuCodes" || '{m10303,m10304,m10305,m10306,m10307,m10308,m10308.add,m10308.edit,m10308.remove}'::text[]
where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10303,m10304,m10305,m10306,m10307,m10308}'::text[]
where "RouteRole" <> 'admin' and 'm10301' = any("MenuCodes");
