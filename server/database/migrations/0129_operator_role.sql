-- Whose roles all have a short menu sees the daily screens first and the rest folded.
alter table role add column if not exists "ShortMenu" smallint not null default 0 check ("ShortMenu" in (0, 1));
insert into role ("EnterpriseId", "RoleName", "RouteRole", "MenuCodes", "ShortMenu")
select e."Id", 'Operator', 'editor', string_to_array(
    'm100,m102,m10108,m10201,m10207,m10202,m10203,m10208,m10211,m10213,m10421,m103,m10301,m10204,m10302,m10109,m101,m10101,' ||
    'm10102,m10103,m10104,m10105,m10106,m10107,m10110,m10210,m10209,m106,m10230,m10205,m10206,m10212,m104,m10401,m10405,' ||
    'm10407,m10231,m10201.acknowledge,m10201.handle,m10104.write', ','), 1
from enterprise e where e."Id" <> 1 and not exists (select 1 from role r where r."EnterpriseId" = e."Id" and lower(r."RoleName") = 'operator')
on conflict do nothing;
-- Viewers of companies that sell nothing through agents need none of its screens.
update role r set "MenuCodes" = array(select code from unnest(r."MenuCodes") code where code !~ '^m120')
where (r."RoleName" = 'Viewer' or r."IsTrial" = 1) and not exists (select 1 from agent a where a."EnterpriseId" = r."EnterpriseId");
