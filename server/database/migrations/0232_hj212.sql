-- Stations that speak HJ 212 dial a port of the server and say who they are in each message. MN and PW are their token: its hash is stored.
alter table network_component
    add column "MN" text,
    add column "Transport" smallint,
    add column "Port" integer,
    add column "Networks" text;

-- A language of its own, as every company has one row of each.
create or replace function penstock_new_tenant_plugins() returns trigger language plpgsql as $$
begin
    perform penstock_protocol_plugins(new."Id");
    insert into protocol_plugin ("EnterpriseId", "PluginName", "Kind", "Number") values (new."Id", 'HJ 212', 2, 5) on conflict do nothing;
    return null;
end $$;
insert into protocol_plugin ("EnterpriseId", "PluginName", "Kind", "Number")
select "Id", 'HJ 212', 2, 5 from enterprise on conflict do nothing;
