-- The timeline of a gateway reads its newest rows by time.
create index gateway_event_time on gateway_event ("GatewayId", "Time" desc, "Id" desc);
create index command_time on command ("GatewayId", "SendTime" desc, "Id" desc);
create index config_version_time on config_version ("GatewayId", "PushTime" desc, "Id" desc);
