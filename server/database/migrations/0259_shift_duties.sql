-- Who works in which shift of a project's plan, with grace and place. Punches are judged by them.
create table mtn_shift_duty (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ProjectId" bigint not null,
    "ShiftName" text not null,
    "UserId" bigint references "user" on delete cascade,
    "TeamId" bigint,
    "DepartmentId" bigint,
    "GraceMin" integer not null default 5,
    "Longitude" double precision,
    "Latitude" double precision,
    "RadiusM" integer not null default 200,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_shift_duty_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id") on delete cascade,
    constraint "mtn_shift_duty_TeamId_fkey" foreign key ("EnterpriseId", "TeamId") references alarm_roster ("EnterpriseId", "Id") on delete cascade,
    constraint "mtn_shift_duty_DepartmentId_fkey" foreign key ("EnterpriseId", "DepartmentId") references department ("EnterpriseId", "Id") on delete cascade
);
create index on mtn_shift_duty ("ProjectId");
create index on mtn_shift_duty ("UserId");
create index on mtn_shift_duty ("TeamId");
create index on mtn_shift_duty ("DepartmentId");
select penstock_tenant_table('mtn_shift_duty');

-- A missing punch has no way of its own.
alter table mtn_punch_record
    alter "Way" drop not null,
    add "PlanTime" timestamptz,
    add "ShiftName" text,
    add "DistanceM" integer;

update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m10621,m10621.add,m10621.edit,m10621.remove}'::text[]) code where not code = any("MenuCodes"))
where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10621}'::text[]
where 'm10611' = any("MenuCodes") and not 'm10621' = any("MenuCodes");
