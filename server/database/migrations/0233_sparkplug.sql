-- Edge nodes of Sparkplug B: a token is for one of them, and a company names each once.
alter table network_component add column "SparkplugGroup" text, add column "SparkplugNode" text;
create unique index "network_component_SparkplugNode_key" on network_component ("EnterpriseId", "SparkplugGroup", "SparkplugNode");

create or replace function penstock_protocol_plugins(tenant bigint) returns void language sql as $$
    insert into protocol_plugin ("EnterpriseId", "PluginName", "Kind", "Number")
    select tenant, "Name", "Kind", "Number" from (values
        ('Modbus TCP', 1, 0), ('Modbus RTU', 1, 1), ('Modbus ASCII', 1, 2), ('DL/T 645-2007', 1, 20), ('DL/T 645-1997', 1, 21),
        ('CJ/T 188', 1, 30), ('IEC 60870-5-104', 1, 50), ('OPC UA', 1, 60), ('Siemens S7', 1, 70), ('MQTT source', 1, 80),
        ('BACnet/IP', 1, 90), ('SNMP', 1, 100), ('HTTP source', 1, 110), ('Described protocol', 1, 200),
        ('ThingsBoard', 2, 1), ('JSON', 2, 2), ('InfluxDB', 2, 3), ('Sparkplug B', 2, 4)
    ) as built_in ("Name", "Kind", "Number")
    on conflict do nothing;
$$;
select penstock_protocol_plugins("Id") from enterprise;
