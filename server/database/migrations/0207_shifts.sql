-- Shifts of a project, from a day on.
create table shift_plan (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ProjectId" bigint not null,
    "PlanName" text not null,
    "ValidFrom" text not null,
    "Times" jsonb not null,
    "Holidays" jsonb not null default '[]',
    "MakeUps" jsonb not null default '[]',
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "shift_plan_PlanName_key" unique ("ProjectId", "PlanName"),
    constraint "shift_plan_ValidFrom_key" unique ("ProjectId", "ValidFrom"),
    constraint "shift_plan_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('shift_plan');
create index shift_plan_tenant on shift_plan ("EnterpriseId");

update role set "MenuCodes" = "MenuCodes" || '{m10136,m10136.add,m10136.edit,m10136.remove}'::text[]
where "RouteRole" = 'admin' or ("RouteRole" = 'editor' and 'm10101.edit' = any("MenuCodes"));
update role set "MenuCodes" = "MenuCodes" || '{m10136}'::text[]
where not 'm10136' = any("MenuCodes") and 'm10101' = any("MenuCodes");
