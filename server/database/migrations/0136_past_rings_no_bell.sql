-- Alarms of the demo's past waited here for the next start, which then announced all of them. Their rows were created at their beginning.
delete from notice_due n using alarm_info a where a."Id" = n."AlmInfoId" and a."IsActive" = 0 and a."CreateTime" = a."StartTime";
