-- Companies that sell through agents get the role for them; it sees series, serial numbers and where gateways are.
insert into role ("EnterpriseId", "RoleName", "RouteRole", "MenuCodes")
select e."Id",
    case e."Language" when 'zh' then '代理商' when 'es' then 'Agente comercial' when 'ja' then '代理店' else 'Agent' end,
    'editor', '{m104,m10401,m10405,m120,m12001,m12002,m12003,m12005,m12006}'::text[]
from enterprise e where e."Id" <> 1 and exists (select 1 from agent a where a."EnterpriseId" = e."Id")
on conflict do nothing;
