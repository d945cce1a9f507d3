-- What to do about a fault, and the codes that faults go by.
create table alarm_plan (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "PlanName" text not null,
    "Content" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "alarm_plan_PlanName_key" unique ("EnterpriseId", "PlanName")
);
select penstock_tenant_table('alarm_plan');

create table alarm_code (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Code" text not null,
    "Name" text not null,
    "Level" smallint not null default 2,
    "Reason" text,
    "AlmPlanId" bigint,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "alarm_code_Code_key" unique ("EnterpriseId", "Code"),
    constraint "alarm_code_AlmPlanId_fkey" foreign key ("EnterpriseId", "AlmPlanId") references alarm_plan ("EnterpriseId", "Id")
);
select penstock_tenant_table('alarm_code');

alter table alarm_info
    add constraint "alarm_info_FaultCodeId_fkey" foreign key ("EnterpriseId", "FaultCodeId") references alarm_code ("EnterpriseId", "Id"),
    add constraint "alarm_info_AlmPlanId_fkey" foreign key ("EnterpriseId", "AlmPlanId") references alarm_plan ("EnterpriseId", "Id");

alter table alarm_info add column "HasCode" smallint not null generated always as (case when "FaultCodeId" is null then 0 else 1 end) stored;

update role set "MenuCodes" = "MenuCodes" || '{m10204,m10205,m10205.add,m10205.edit,m10205.remove,m10206,m10206.add,m10206.edit,m10206.remove,m10207,m10208,m10201.shelve,m10201.assign}'::text[]
where "RouteRole" = 'admin';
