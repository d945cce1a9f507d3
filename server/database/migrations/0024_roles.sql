-- A role can be looked at by one who does not hold it: then only that role counts.
create or replace function penstock_sight(person bigint, acting bigint)
returns table ("RoleId" bigint, "Module" text, "Whole" boolean, "Organs" bigint[], "ProjectIds" bigint[], "Hidden" text[]) language sql stable as $$
    with recursive mine as (
        select u."Id", u."EnterpriseId", u."BelongOrganId" from "user" u where u."Id" = person
    ), below as (
        select m."EnterpriseId", m."BelongOrganId" as id from mine m where m."BelongOrganId" is not null
        union select o."EnterpriseId", o."Id" from organ o join below b on o."EnterpriseId" = b."EnterpriseId" and o."ParentOrganId" = b.id
    ), held as (
        select r.* from role r where r."Id" = acting
        union all select r.* from user_role ur join role r on r."Id" = ur."RoleId" and r."Status" = 1 where acting is null and ur."UserId" = person
    ), rules as (
        select r."Id" as role, m.code as module, coalesce(d."DataScope", r."DataScope") as scope, r."ProjectIds" as projects,
            case when d."Id" is null then r."OrganIds" else array(select jsonb_array_elements_text(d."OrganIds")::bigint) end as organs,
            case when d."Id" is null then '{}' else array(select jsonb_array_elements_text(d."HiddenFields")) end as hidden
        from held r cross join unnest(array['project', 'user', 'department', 'post']) m (code)
        left join (role_data_permission x join data_permission d on d."Id" = x."DataPermissionId") on x."RoleId" = r."Id" and d."ModuleCode" = m.code
    )
    select role, module, scope = 5,
        case scope when 2 then array(select "BelongOrganId" from mine where "BelongOrganId" is not null) when 3 then array(select id from below) when 4 then organs else '{}' end,
        projects, hidden
    from rules
$$;
-- What somebody made himself is his through a role that he holds. Of the role's tenant, which is another than the person's where the platform looks at it.
create or replace function penstock_projects(person bigint, acting bigint) returns setof bigint language sql stable as $$
    select distinct p."Id" from penstock_sight(person, acting) s join role r on r."Id" = s."RoleId" join project p on p."EnterpriseId" = r."EnterpriseId"
    where s."Module" = 'project' and (s."ProjectIds" is null or p."Id" = any(s."ProjectIds"))
        and (s."Whole" or p."CreateUserId" = (select ur."UserId" from user_role ur where ur."UserId" = person and ur."RoleId" = s."RoleId") or p."BelongOrganId" = any(s."Organs"))
$$;
