-- A platform administrator's list is that of all tenants. New alarms go to one end of it, which costs them little.
create index alarm_info_newest on alarm_info ("StartTime" desc, "Id" desc);
