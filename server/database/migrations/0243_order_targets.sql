-- Which kind of record an entry of an order names: Ids of people, teams and departments overlap.
alter table mtn_order_history add "TargetField" text;
update mtn_order_history h set "TargetField" = case
    when exists (select 1 from "user" u where u."Id" = h."TargetId" and (h."Step" = 'handOver' or u."UserName" = h."Target")) then 'AssignUserId'
    when exists (select 1 from alarm_roster r where r."Id" = h."TargetId" and r."RosterName" = h."Target") then 'TeamId'
    when exists (select 1 from department d where d."Id" = h."TargetId" and d."DepartmentName" = h."Target") then 'DepartmentId'
end where "TargetId" is not null and "Step" in ('dispatch', 'handOver');
