-- Settings of the kernel lie in tenant_config, one row each; those of the platform are its own tenant's.
insert into tenant_config ("EnterpriseId", "Name", "Config", "UpdateTime")
select "EnterpriseId", 'alarmReminder', "Setting", "UpdateTime" from alarm_reminder;
drop table alarm_reminder;
insert into tenant_config ("EnterpriseId", "Name", "Config")
select e."Id", 'machineLimits', to_jsonb(m) - 'Id' from machine_limit m join enterprise e on e."Id" = 1;
drop table machine_limit;
