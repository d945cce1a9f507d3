-- Alarms whose bell has not rung: made with the alarm, in its transaction, so that none is passed over because another with a
-- higher number was committed first.
create table notice_due (
    "AlmInfoId" bigint primary key,
    "EnterpriseId" bigint not null,
    foreign key ("EnterpriseId", "AlmInfoId") references alarm_info ("EnterpriseId", "Id") on delete cascade
);
select penstock_system_table('notice_due');
insert into notice_due select "Id", "EnterpriseId" from alarm_info where "AlarmType" in (1, 2) and "Id" > (select "AlarmId" from notice_cursor);
drop table notice_cursor;

-- Alarms without a rule, of limits and of gateways, are told to those who have asked for them.
create index alarm_user_setting_ruleless on alarm_user_setting ("EnterpriseId") where "Setting" ->> 'WithoutRule' = '1';
create function alarm_info_heard() returns trigger language plpgsql as $$
begin
    insert into notice_due values (new."Id", new."EnterpriseId");
    if new."AlmRuleId" is null and exists (select 1 from alarm_user_setting s where s."EnterpriseId" = new."EnterpriseId" and s."Setting" ->> 'WithoutRule' = '1') then
        insert into alarm_push ("AlmInfoId", "EnterpriseId", "Push", "TimeZone")
        select new."Id", e."Id", '{"PushUsers": [], "PushMethods": [], "RecoveryNotice": 1}', e."TimeZoneKey" from enterprise e where e."Id" = new."EnterpriseId";
    end if;
    return null;
end $$;
create trigger alarm_info_heard after insert on alarm_info for each row when (new."AlarmType" in (1, 2)) execute function alarm_info_heard();
