-- Hints of energy are alarms of type 5: people hear of them as of those of devices and gateways. So they do of limits of sensors in cold rooms
-- (type 4), which are of devices.
create or replace function alarm_info_made() returns trigger language plpgsql as $$
begin
    insert into notice_due select "Id", "EnterpriseId" from made where "AlarmType" in (1, 2, 4, 5) order by "Id";

    -- Alarms without a rule, of limits, gateways and energy, are told to those who have asked for them.
    insert into alarm_push ("AlmInfoId", "EnterpriseId", "Push", "TimeZone")
    select m."Id", e."Id", '{"PushUsers": [], "PushMethods": [], "RecoveryNotice": 1}', e."TimeZoneKey"
    from made m join enterprise e on e."Id" = m."EnterpriseId"
    where m."AlmRuleId" is null and m."AlarmType" in (1, 2, 4, 5)
        and exists (select 1 from alarm_user_setting s where s."EnterpriseId" = m."EnterpriseId" and s."Setting" ->> 'WithoutRule' = '1');

    insert into alarm_push ("AlmInfoId", "EnterpriseId", "Push", "TimeZone")
    select m."Id", m."EnterpriseId", r."AlarmPush", coalesce(r."RuleConfigure" -> 'EnableRule' ->> 'TimeZone', e."TimeZoneKey")
    from made m join alarm_rule r on r."Id" = m."AlmRuleId" and r."EnterpriseId" = m."EnterpriseId" join enterprise e on e."Id" = m."EnterpriseId"
    where r."IsSend" = 1 and jsonb_typeof(r."AlarmPush") = 'object';

    insert into alarm_action ("EnterpriseId", "AlmInfoId", "Kind", "Place", "Payload")
    select m."EnterpriseId", m."Id", a.kind, a.n, a.one
    from made m join alarm_rule r on r."Id" = m."AlmRuleId" and r."EnterpriseId" = m."EnterpriseId"
        and (r."DeviceControl" <> '[]' or r."ActionExecution" <> '[]' or r."RuleType" = 2)
    cross join lateral (
        select 'write' as kind, n, one
        from jsonb_array_elements(case when jsonb_typeof(r."DeviceControl") = 'array' then r."DeviceControl" else '[]' end) with ordinality as x (one, n)
        union all
        select case (one ->> 'Type')::int when 1 then 'order' when 3 then 'webhook' else 'notice' end, n, one
        from jsonb_array_elements(case when jsonb_typeof(r."ActionExecution") = 'array' then r."ActionExecution" else '[]' end) with ordinality as x (one, n)
        union all
        select 'order', 0, '{"Type": 1}'::jsonb where r."RuleType" = 2 and not coalesce(r."ActionExecution" @> '[{"Type": 1}]', false)
    ) a
    order by m."Id", a.kind desc, a.n;

    insert into alarm_webhook_event ("EnterpriseId", "AlarmWebhookId", "AlmInfoId", "Event", "AlarmLevel", "Time")
    select m."EnterpriseId", h."Id", m."Id", e.event, m."AlarmLevel", e.at
    from made m join alarm_webhook h on h."EnterpriseId" = m."EnterpriseId" cross join lateral (values
        (1, 'raised', h."OnRaised" = 1, m."StartTime"),
        (2, 'recovered', h."OnRecovered" = 1 and m."IsActive" = 0, m."RecoverTime")
    ) as e (n, event, wanted, at)
    where h."Enabled" = 1 and h."AlarmLevel" <= m."AlarmLevel" and (h."ProjectId" is null or h."ProjectId" = m."ProjectId") and e.wanted
    order by m."Id", h."Id", e.n;
    return null;
end $$;

-- Who takes alarms of devices and of gateways takes those of energy, too.
update alarm_user_setting set "Setting" = jsonb_set("Setting", '{Types}', '[1, 2, 5]') where "Setting" -> 'Types' @> '[1, 2]';
