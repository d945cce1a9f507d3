-- Which fault of a gateway an alarm is about, and whether an alarm is put aside now: its end takes the mark away.
alter table alarm_info
    add column "GatewayFault" smallint,
    add column "IsShelved" smallint not null default 0;
update alarm_info set "GatewayFault" = 1 where "AlarmType" = 2;
update alarm_info set "IsShelved" = 1 where "ShelvedUntil" > now();
create index alarm_info_shelved on alarm_info ("ShelvedUntil") where "IsShelved" = 1;
create index alarm_info_active on alarm_info ("EnterpriseId", "IsShelved", "StartTime" desc, "Id" desc) where "IsActive" = 1;
