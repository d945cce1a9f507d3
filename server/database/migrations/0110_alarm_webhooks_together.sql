-- Webhooks hear of what happens to alarms once a statement instead of once a row: recoveries come by the hundred, and mostly nobody has
-- subscribed.
drop trigger alarm_info_hooked on alarm_info;
drop function alarm_info_hooked();
create function alarm_info_changed() returns trigger language plpgsql as $$
begin
    if not exists (select 1 from alarm_webhook where "Enabled" = 1) then return null; end if;
    insert into alarm_webhook_event ("EnterpriseId", "AlarmWebhookId", "AlmInfoId", "Event", "AlarmLevel", "Time")
    select m."EnterpriseId", h."Id", m."Id", e.event, m."AlarmLevel", e.at
    from changed m join was o on o."Id" = m."Id" join alarm_webhook h on h."EnterpriseId" = m."EnterpriseId" cross join lateral (values
        (1, 'raised', h."OnRaised", o."AlarmLevel" < h."AlarmLevel", now()),
        (2, 'level', h."OnRaised", m."AlarmLevel" > o."AlarmLevel" and o."AlarmLevel" >= h."AlarmLevel", now()),
        (3, 'acknowledged', h."OnAcknowledged", m."AckStatus" = 1 and o."AckStatus" = 0, coalesce(m."AckTime", now())),
        (4, 'handled', h."OnHandled", m."HandleStatus" = 2 and o."HandleStatus" <> 2, coalesce(m."HandleTime", now())),
        (5, 'recovered', h."OnRecovered", m."IsActive" = 0 and o."IsActive" = 1, coalesce(m."RecoverTime", now()))
    ) as e (n, event, wanted, happened, at)
    where h."Enabled" = 1 and h."AlarmLevel" <= m."AlarmLevel"
        and (h."ProjectId" is null or h."ProjectId" = m."ProjectId") and e.wanted = 1 and e.happened
    order by m."Id", h."Id", e.n;
    return null;
end $$;
create trigger alarm_info_changed after update on alarm_info referencing old table as was new table as changed for each statement execute function alarm_info_changed();
