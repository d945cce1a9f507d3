-- The role of trial accounts has a mark; by its name, any role could be taken for it.
alter table role add "IsTrial" smallint not null default 0 check ("IsTrial" in (0, 1));
create unique index role_trial on role ("EnterpriseId") where "IsTrial" = 1;
-- The one that visitors hold and nobody else does, where it is for looking only.
update role set "IsTrial" = 1 where "Id" in (
    select distinct on (r."EnterpriseId") r."Id" from role r
    where r."IsPlatform" = 0 and r."RouteRole" is distinct from 'admin' and r."MenuCodes"::text not like '%.%'
        and exists (select 1 from user_role ur where ur."RoleId" = r."Id")
        and not exists (select 1 from user_role ur where ur."RoleId" = r."Id"
            and not exists (select 1 from trial_user x where x."UserId" = ur."UserId"))
    order by r."EnterpriseId", r."RoleName" = 'Trial' desc, r."Id");
