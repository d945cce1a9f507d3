-- Links to a picture, dashboard, map or project for people without an account. The token is stored as a hash.
create table share (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ShareName" text not null,
    "Kind" smallint not null check ("Kind" between 1 and 4),
    "FlowchartId" bigint,
    "VisualBoardId" bigint,
    "ProjectId" bigint,
    "Hours" integer not null,
    "WithPin" smallint not null default 0,
    "Parameters" jsonb,
    "ValidTo" timestamptz,
    "UserId" bigint references "user" on delete set null,
    "LastUsedTime" timestamptz,
    "Views" integer not null default 0,
    "TokenHash" bytea unique,
    "PinHash" bytea,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "share_FlowchartId_fkey" foreign key ("EnterpriseId", "FlowchartId") references flowchart ("EnterpriseId", "Id"),
    constraint "share_VisualBoardId_fkey" foreign key ("EnterpriseId", "VisualBoardId") references visual_board ("EnterpriseId", "Id"),
    constraint "share_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id")
);
select penstock_tenant_table('share');
create index share_valid_to on share ("EnterpriseId", "ValidTo");
create index share_flowchart on share ("FlowchartId");
create index share_board on share ("VisualBoardId");
create index share_project on share ("ProjectId");
create index share_user on share ("UserId");

update role set "MenuCodes" = "MenuCodes" || '{m10134,m10134.add,m10134.remove}'::text[] where "RouteRole" = 'admin';
