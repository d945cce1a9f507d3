-- Patrols: plans and orders as those of upkeep, with a route of tagged points.
create table mtn_check_plan (like mtn_up_keep_plan including defaults including identity);
alter table mtn_check_plan
    add "Points" jsonb,
    add "InOrder" smallint not null default 0,
    add "AllowQr" smallint not null default 0,
    add primary key ("Id"),
    add unique ("EnterpriseId", "Id"),
    add foreign key ("EnterpriseId") references enterprise,
    add constraint "mtn_check_plan_PlanName_key" unique ("ProjectId", "PlanName"),
    add constraint "mtn_check_plan_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id") on delete cascade,
    add constraint "mtn_check_plan_AssignUserId_fkey" foreign key ("AssignUserId") references "user" on delete set null,
    add constraint "mtn_check_plan_TeamId_fkey" foreign key ("EnterpriseId", "TeamId") references alarm_roster ("EnterpriseId", "Id") on delete set null ("TeamId");
create index mtn_check_plan_list on mtn_check_plan ("EnterpriseId", "PlanName", "Id");
create index mtn_check_plan_due on mtn_check_plan ("NextTime") where "PlanStatus" = 1 and "NextTime" is not null;
select penstock_tenant_table('mtn_check_plan');

create table mtn_check_order (like mtn_up_keep_order including defaults);
alter table mtn_check_order
    add "Points" jsonb,
    add "InOrder" smallint not null default 0,
    add "AllowQr" smallint not null default 0,
    add "PointsTotal" integer not null generated always as (coalesce(jsonb_array_length("Points"), 0)) stored,
    add "PointsDone" integer not null default 0,
    add "MissedPoints" jsonb,
    add "WrongOrder" smallint not null default 0,
    add primary key ("Id"),
    add unique ("EnterpriseId", "Id"),
    add foreign key ("EnterpriseId") references enterprise,
    add constraint "mtn_check_order_OrderNo_key" unique ("EnterpriseId", "OrderNo"),
    add constraint "mtn_check_order_PlanId_fkey" foreign key ("EnterpriseId", "PlanId") references mtn_check_plan ("EnterpriseId", "Id") on delete set null ("PlanId"),
    add constraint "mtn_check_order_AssignUserId_fkey" foreign key ("AssignUserId") references "user" on delete set null,
    add constraint "mtn_check_order_ExecUserId_fkey" foreign key ("ExecUserId") references "user" on delete set null,
    add constraint "mtn_check_order_TeamId_fkey" foreign key ("EnterpriseId", "TeamId") references alarm_roster ("EnterpriseId", "Id") on delete set null ("TeamId");
create unique index mtn_check_order_once on mtn_check_order ("PlanId", (coalesce("DeviceId", 0)), "PlanTime") where "PlanId" is not null;
create index mtn_check_order_list on mtn_check_order ("EnterpriseId", "PlanTime" desc, "Id" desc);
create index mtn_check_order_todo on mtn_check_order ("DueTime") where "Status" in (0, 1);
create index mtn_check_order_person on mtn_check_order ("AssignUserId") where "Status" in (0, 1);
select penstock_tenant_table('mtn_check_order');
create trigger mtn_order_number before insert on mtn_check_order for each row execute function mtn_order_number('XJ');

update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m10605,m10605.add,m10605.edit,m10605.remove,m10606,m10606.add,m10606.edit,m10606.remove,m10606.cancel}'::text[]) code where not code = any("MenuCodes"))
where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m10605,m10606}'::text[]) code where not code = any("MenuCodes"))
where 'm10602' = any("MenuCodes") and "RouteRole" is distinct from 'admin';
