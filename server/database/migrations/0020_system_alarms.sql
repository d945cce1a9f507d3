-- Alarms of the installation itself, such as a full disk: those of the platform's tenant without a device. One of a kind stands at a time.
create unique index alarm_info_system on alarm_info ("EnterpriseId", "RuleName") where "AlarmType" = 3 and "IsActive" = 1;
