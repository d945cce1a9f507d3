-- Displays that show a playlist. The token is stored as a hash.
create table television (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TelevisionName" text not null,
    "ProjectId" bigint,
    "Playlist" jsonb not null,
    "UserId" bigint references "user" on delete set null,
    "LastSeenTime" timestamptz,
    "Address" text,
    "Browser" text,
    "TokenHash" bytea unique,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "television_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id")
);
select penstock_tenant_table('television');
create index television_name on television ("EnterpriseId", "TelevisionName");
create index television_project on television ("ProjectId");
create index television_user on television ("UserId");

update role set "MenuCodes" = "MenuCodes" || '{m10135,m10135.add,m10135.edit,m10135.remove}'::text[] where "RouteRole" = 'admin';
