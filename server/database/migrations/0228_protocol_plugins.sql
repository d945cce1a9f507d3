-- Drivers and languages that a company may switch off, and packages that it imported. Built-in ones are rows of every company: a new driver
-- or language adds its rows by a migration of its own.
create table protocol_plugin (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "PluginName" text not null,
    "Kind" smallint not null check ("Kind" between 1 and 4),
    "Number" integer,
    "Status" smallint not null default 1,
    "SelfParseId" bigint unique,
    "DataParseId" bigint unique,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    unique ("EnterpriseId", "Kind", "Number"),
    constraint "protocol_plugin_PluginName_key" unique ("EnterpriseId", "PluginName"),
    constraint "protocol_plugin_SelfParseId_fkey" foreign key ("EnterpriseId", "SelfParseId") references self_parse ("EnterpriseId", "Id"),
    constraint "protocol_plugin_DataParseId_fkey" foreign key ("EnterpriseId", "DataParseId") references data_parse ("EnterpriseId", "Id")
);
select penstock_tenant_table('protocol_plugin');

create function penstock_protocol_plugins(tenant bigint) returns void language sql as $$
    insert into protocol_plugin ("EnterpriseId", "PluginName", "Kind", "Number")
    select tenant, "Name", "Kind", "Number" from (values
        ('Modbus TCP', 1, 0), ('Modbus RTU', 1, 1), ('Modbus ASCII', 1, 2), ('DL/T 645-2007', 1, 20), ('DL/T 645-1997', 1, 21),
        ('CJ/T 188', 1, 30), ('IEC 60870-5-104', 1, 50), ('OPC UA', 1, 60), ('Siemens S7', 1, 70), ('MQTT source', 1, 80),
        ('BACnet/IP', 1, 90), ('SNMP', 1, 100), ('HTTP source', 1, 110), ('Described protocol', 1, 200),
        ('ThingsBoard', 2, 1), ('JSON', 2, 2), ('InfluxDB', 2, 3)
    ) as built_in ("Name", "Kind", "Number")
    on conflict do nothing;
$$;
create function penstock_new_tenant_plugins() returns trigger language plpgsql as $$
begin
    perform penstock_protocol_plugins(new."Id");
    return null;
end $$;
create trigger enterprise_plugins after insert on enterprise for each row execute function penstock_new_tenant_plugins();
select penstock_protocol_plugins("Id") from enterprise;

update role set "MenuCodes" = "MenuCodes" || '{m10502,m10502.add,m10502.edit,m10502.remove}'::text[]
where "RouteRole" = 'admin';
-- Who sees channels sees what may be used for them.
update role set "MenuCodes" = "MenuCodes" || '{m10502}'::text[]
where "RouteRole" <> 'admin' and 'm10106' = any("MenuCodes");
