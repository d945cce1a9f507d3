-- Devices of described protocols dial a port of the server and say who they are with their first bytes.
alter table network_component
    add column "SelfParseId" bigint,
    add column "RegistrationForm" smallint,
    add column "Registration" text,
    add column "Heartbeat" text,
    add column "HeartbeatPeriod" integer,
    add column "AskPeriod" integer,
    add column "Units" text,
    add constraint "network_component_SelfParseId_fkey" foreign key ("EnterpriseId", "SelfParseId") references self_parse ("EnterpriseId", "Id");
create index on network_component ("SelfParseId") where "SelfParseId" is not null;

-- A language of its own, as every company has one row of each.
create or replace function penstock_new_tenant_plugins() returns trigger language plpgsql as $$
begin
    perform penstock_protocol_plugins(new."Id");
    insert into protocol_plugin ("EnterpriseId", "PluginName", "Kind", "Number")
    values (new."Id", 'HJ 212', 2, 5), (new."Id", 'Devices that dial', 2, 6) on conflict do nothing;
    return null;
end $$;
insert into protocol_plugin ("EnterpriseId", "PluginName", "Kind", "Number")
select "Id", 'Devices that dial', 2, 6 from enterprise on conflict do nothing;
