-- What the figures of the maintenance centre count, as columns that lists filter by.
alter table mtn_maintenance_order
    add "Stopped" smallint not null default 0,
    add "Rejects" integer not null default 0;
update mtn_maintenance_order o set "Rejects" = h.n
from (select "OrderId", count(*) as n from mtn_order_history where "Step" = 'reject' group by 1) h where h."OrderId" = o."Id";
alter table mtn_maintenance_order
    add "IsFailure" smallint not null generated always as (case when "Status" not in (6, 7) and ("Stopped" = 1 or coalesce("StopHours", 0) > 0) then 1 else 0 end) stored,
    add "OnTime" smallint generated always as (case when "FinishTime" is null or "PlanFinishTime" is null then null when "FinishTime" <= "PlanFinishTime" then 1 else 0 end) stored,
    add "FirstTime" smallint generated always as (case when "Status" <> 5 then null when "Verified" <> 3 and "Rejects" = 0 then 1 else 0 end) stored;
create index mtn_maintenance_order_finished on mtn_maintenance_order ("EnterpriseId", "FinishTime") where "FinishTime" is not null;
create index mtn_maintenance_order_failure on mtn_maintenance_order ("EnterpriseId", "ReportTime") where "IsFailure" = 1;

-- Who sees orders sees the calendar and the figures.
update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m10617,m10618}'::text[]) code where not code = any("MenuCodes"))
where 'm10602' = any("MenuCodes");
