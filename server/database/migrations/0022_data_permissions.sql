-- Which of the tenant's rows a role shows: 1 own, 2 own organisation, 3 and below, 4 chosen organisations, 5 all.

alter table role
    add "DataScope" smallint not null default 5,
    add "OrganIds" bigint[] not null default '{}';

-- For one module instead of what the role says of all.
create table data_permission (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Name" text not null,
    "ModuleCode" text not null,
    "DataScope" smallint not null default 3,
    "OrganIds" jsonb not null default '[]',
    "HiddenFields" jsonb not null default '[]',
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "data_permission_Name_key" unique ("EnterpriseId", "Name")
);
select penstock_tenant_table('data_permission');

create table role_data_permission (
    "EnterpriseId" bigint not null references enterprise,
    "RoleId" bigint not null,
    "DataPermissionId" bigint not null,
    primary key ("RoleId", "DataPermissionId"),
    foreign key ("EnterpriseId", "RoleId") references role ("EnterpriseId", "Id") on delete cascade,
    foreign key ("EnterpriseId", "DataPermissionId") references data_permission ("EnterpriseId", "Id")
);
create index role_data_permission_of on role_data_permission ("DataPermissionId");
select penstock_tenant_table('role_data_permission');

-- Who has made a row; nobody for what the server makes itself.
alter table project add "CreateUserId" bigint default nullif(current_setting('penstock.user', true), '')::bigint;
alter table department add "CreateUserId" bigint default nullif(current_setting('penstock.user', true), '')::bigint;
alter table post add "CreateUserId" bigint default nullif(current_setting('penstock.user', true), '')::bigint;

create index user_organ on "user" ("EnterpriseId", "BelongOrganId");
create index project_organ on project ("EnterpriseId", "BelongOrganId");

-- What each enabled role of a person shows of each module; of one role, where he acts as that.
create function penstock_sight(person bigint, acting bigint)
returns table ("RoleId" bigint, "Module" text, "Whole" boolean, "Organs" bigint[], "ProjectIds" bigint[], "Hidden" text[]) language sql stable as $$
    with recursive mine as (
        select u."Id", u."EnterpriseId", u."BelongOrganId" from "user" u where u."Id" = person
    ), below as (
        select m."EnterpriseId", m."BelongOrganId" as id from mine m where m."BelongOrganId" is not null
        union select o."EnterpriseId", o."Id" from organ o join below b on o."EnterpriseId" = b."EnterpriseId" and o."ParentOrganId" = b.id
    ), rules as (
        select r."Id" as role, m.code as module, coalesce(d."DataScope", r."DataScope") as scope, r."ProjectIds" as projects,
            case when d."Id" is null then r."OrganIds" else array(select jsonb_array_elements_text(d."OrganIds")::bigint) end as organs,
            case when d."Id" is null then '{}' else array(select jsonb_array_elements_text(d."HiddenFields")) end as hidden
        from user_role ur join role r on r."Id" = ur."RoleId" and r."Status" = 1
        cross join unnest(array['project', 'user', 'department', 'post']) m (code)
        left join (role_data_permission x join data_permission d on d."Id" = x."DataPermissionId") on x."RoleId" = r."Id" and d."ModuleCode" = m.code
        where ur."UserId" = person and ur."RoleId" = coalesce(acting, ur."RoleId")
    )
    select role, module, scope = 5,
        case scope when 2 then array(select "BelongOrganId" from mine where "BelongOrganId" is not null) when 3 then array(select id from below) when 4 then organs else '{}' end,
        projects, hidden
    from rules
$$;

create function penstock_projects(person bigint, acting bigint) returns setof bigint language sql stable as $$
    select distinct p."Id" from "user" u join project p on p."EnterpriseId" = u."EnterpriseId" join penstock_sight(person, acting) s on s."Module" = 'project'
    where u."Id" = person and (s."ProjectIds" is null or p."Id" = any(s."ProjectIds"))
        and (s."Whole" or p."CreateUserId" = person or p."BelongOrganId" = any(s."Organs"))
$$;

-- Managers that are there already get the screens that new ones begin with; the codes stand in the contract's menu tree.
update role set "MenuCodes" = "MenuCodes" || '{m10417,m10417.add,m10417.edit,m10417.remove}'::text[] where "RouteRole" = 'admin';
