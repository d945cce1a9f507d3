-- A picture that opens first, instead of the dashboard. One that somebody begins with is not removed.
alter table "user" add column "IndexFlowchartId" bigint;
alter table "user" add constraint "user_IndexFlowchartId_fkey" foreign key ("EnterpriseId", "IndexFlowchartId") references flowchart ("EnterpriseId", "Id");
create index user_index_flowchart on "user" ("IndexFlowchartId") where "IndexFlowchartId" is not null;
grant select ("IndexFlowchartId"), update ("IndexFlowchartId") on "user" to penstock_tenant;

-- Who looks at pictures may list them; until now that took the right to manage them.
update role set "MenuCodes" = "MenuCodes" || '{m10125}'::text[] where 'm10130' = any("MenuCodes") and not 'm10125' = any("MenuCodes");
