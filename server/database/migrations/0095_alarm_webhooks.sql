-- Addresses outside that are told of alarms. Their secrets lie in sealed_secret.
create table alarm_webhook (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "HookName" text not null,
    "Url" text not null,
    "ProjectId" bigint,
    "AlarmLevel" smallint not null default 1,
    "OnRaised" smallint not null default 1,
    "OnAcknowledged" smallint not null default 1,
    "OnHandled" smallint not null default 1,
    "OnRecovered" smallint not null default 1,
    "Enabled" smallint not null default 1,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "alarm_webhook_HookName_key" unique ("EnterpriseId", "HookName"),
    constraint "alarm_webhook_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id") on delete cascade
);
create index alarm_webhook_project on alarm_webhook ("ProjectId");
select penstock_tenant_table('alarm_webhook');

-- What they have still to be told: written with the change of the alarm itself, taken out with the message that the queue takes on.
create table alarm_webhook_event (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null,
    "AlarmWebhookId" bigint not null,
    "AlmInfoId" bigint not null,
    "Event" text not null,
    "AlarmLevel" smallint not null,
    "Time" timestamptz not null,
    "CreateTime" timestamptz not null default now(),
    foreign key ("EnterpriseId", "AlarmWebhookId") references alarm_webhook ("EnterpriseId", "Id") on delete cascade,
    foreign key ("EnterpriseId", "AlmInfoId") references alarm_info ("EnterpriseId", "Id") on delete cascade
);
create index alarm_webhook_event_next on alarm_webhook_event ("AlarmWebhookId", "Id");
create index alarm_webhook_event_alarm on alarm_webhook_event ("AlmInfoId");
create index alarm_webhook_event_time on alarm_webhook_event ("CreateTime");
select penstock_tenant_table('alarm_webhook_event');
revoke update, delete on alarm_webhook_event from penstock_tenant;

alter table alm_push_record add column "AlarmWebhookId" bigint;
create index alm_push_record_webhook on alm_push_record ("AlarmWebhookId", "Id") where "AlarmWebhookId" is not null;
create index alm_push_record_webhook_waiting on alm_push_record ("AlarmWebhookId", "Id") where "AlarmWebhookId" is not null and "SendStatus" = 0;

create function alarm_info_hooked() returns trigger language plpgsql as $$
begin
    insert into alarm_webhook_event ("EnterpriseId", "AlarmWebhookId", "AlmInfoId", "Event", "AlarmLevel", "Time")
    select new."EnterpriseId", h."Id", new."Id", e.event, new."AlarmLevel", e.at
    from alarm_webhook h cross join lateral (values
        (1, 'raised', h."OnRaised", tg_op = 'INSERT' or old."AlarmLevel" < h."AlarmLevel", case when tg_op = 'INSERT' then new."StartTime" else now() end),
        (2, 'level', h."OnRaised", tg_op = 'UPDATE' and new."AlarmLevel" > old."AlarmLevel" and old."AlarmLevel" >= h."AlarmLevel", now()),
        (3, 'acknowledged', h."OnAcknowledged", new."AckStatus" = 1 and (tg_op = 'INSERT' or old."AckStatus" = 0), coalesce(new."AckTime", now())),
        (4, 'handled', h."OnHandled", new."HandleStatus" = 2 and (tg_op = 'INSERT' or old."HandleStatus" <> 2), coalesce(new."HandleTime", now())),
        (5, 'recovered', h."OnRecovered", new."IsActive" = 0 and (tg_op = 'INSERT' or old."IsActive" = 1), coalesce(new."RecoverTime", now()))
    ) as e (n, event, wanted, happened, at)
    where h."EnterpriseId" = new."EnterpriseId" and h."Enabled" = 1 and h."AlarmLevel" <= new."AlarmLevel"
        and (h."ProjectId" is null or h."ProjectId" = new."ProjectId") and e.wanted = 1 and e.happened
    order by h."Id", e.n;
    return null;
end $$;
create trigger alarm_info_hooked_new after insert on alarm_info for each row execute function alarm_info_hooked();
-- Standing alarms show the newest reading: such changes are many, and nobody's event.
create trigger alarm_info_hooked after update on alarm_info for each row when (
    new."AlarmLevel" > old."AlarmLevel" or new."AckStatus" > old."AckStatus" or new."IsActive" < old."IsActive"
    or (new."HandleStatus" = 2 and old."HandleStatus" <> 2)
) execute function alarm_info_hooked();

update role set "MenuCodes" = "MenuCodes" || '{m10231,m10231.add,m10231.edit,m10231.remove,m10231.resetKey}'::text[] where "RouteRole" = 'admin';
