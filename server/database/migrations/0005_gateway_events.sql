-- What gateways report about themselves; the newest 10,000 of a gateway are kept.
create table gateway_event (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "GatewayId" bigint not null,
    "MsgId" text not null,
    "Type" smallint not null,
    "Level" smallint not null,
    "Text" text not null,
    "Time" timestamptz not null,
    "CreateTime" timestamptz not null default now(),
    foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id") on delete cascade
);
create index gateway_event_gateway on gateway_event ("GatewayId", "Id" desc);
-- A message that is sent again is the same event.
create unique index gateway_event_message on gateway_event ("GatewayId", "MsgId");
select penstock_tenant_table('gateway_event');
