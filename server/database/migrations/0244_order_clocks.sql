-- Clocks of orders by urgency, and further events of push settings.
alter table mtn_maintenance_order
    add "DueByClock" smallint not null default 0,
    add "RespondDue" timestamptz,
    add "ArriveDue" timestamptz,
    add "HoldReason" text,
    -- When the clocks stood still: [{ start, end }], epoch ms.
    add "Holds" jsonb;
create index mtn_maintenance_order_respond on mtn_maintenance_order ("EnterpriseId", "RespondDue") where "Status" in (0, 1) and "RespondDue" is not null;
create index mtn_maintenance_order_arrive on mtn_maintenance_order ("EnterpriseId", "ArriveDue") where "Status" in (0, 1, 2) and "ArriveTime" is null and "ArriveDue" is not null;

-- Orders of all kinds, and parts whose stock is low.
alter table mtn_order_told drop constraint "mtn_order_told_OrderId_fkey", add "Step" smallint not null default 0;
alter table mtn_order_told drop constraint mtn_order_told_pkey, add primary key ("OrderId", "TemplateId", "Event", "For", "Step");
create index mtn_order_history_told on mtn_order_history ("EnterpriseId", "Time") where "Step" in ('dispatch', 'handOver', 'reject');
create index mtn_up_keep_order_made on mtn_up_keep_order ("EnterpriseId", "CreateTime");
create index mtn_check_order_made on mtn_check_order ("EnterpriseId", "CreateTime");
create index mtn_up_keep_order_done on mtn_up_keep_order ("EnterpriseId", "FinishTime") where "Status" in (2, 3);
create index mtn_check_order_done on mtn_check_order ("EnterpriseId", "FinishTime") where "Status" in (2, 3);
alter table mtn_component add "LowTime" timestamptz;
create index mtn_component_low on mtn_component ("EnterpriseId", "LowTime") where "LowTime" is not null;

-- Who sets push settings sets clocks.
update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m10616,m10616.edit}'::text[]) code where not code = any("MenuCodes"))
where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
update role set "MenuCodes" = "MenuCodes" || '{m10616}'::text[] where 'm10609' = any("MenuCodes") and not 'm10616' = any("MenuCodes");
