-- Systems of others that get the latest values of a project.
create table "third_party_access" (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "AccessName" text not null,
    "ProjectId" bigint not null,
    "Url" text not null,
    "Format" smallint not null default 1,
    "Period" integer not null default 60,
    "Enabled" smallint not null default 1,
    "SendStatus" smallint not null default 0,
    "LastTime" timestamptz,
    "LastFault" text,
    "Remark" text,
    -- When it is sent to next, and failures since it last worked.
    "NextTime" timestamptz not null default now(),
    "Failures" integer not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "third_party_access_AccessName_key" unique ("EnterpriseId", "AccessName"),
    constraint "third_party_access_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references "project" ("EnterpriseId", "Id")
);
create index on "third_party_access" ("ProjectId");
create index on "third_party_access" ("NextTime") where "Enabled" = 1;
select penstock_tenant_table('third_party_access');

update role set "MenuCodes" = "MenuCodes" || '{m10137,m10137.add,m10137.edit,m10137.remove,m10137.resetKey}'::text[] where "RouteRole" = 'admin' and not 'm10137' = any("MenuCodes");
