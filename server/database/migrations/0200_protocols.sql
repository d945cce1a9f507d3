-- Channels of more protocols than Modbus: what these ask beside address and port. Secrets lie in the vault, under the key of the row.
alter table net_protocol
    alter column "Ip" drop not null,
    alter column "Port" drop not null,
    add column "Mode" smallint not null default 0,
    add column "Settings" jsonb,
    add column "Secrets" jsonb;
alter table serial_protocol
    add column "ProtocolType" smallint not null default 1,
    add column "Settings" jsonb,
    add column "Secrets" jsonb;
alter table device add column "Settings" jsonb;

alter table sealed_secret add column "CreateTime" timestamptz not null default now();

-- Kept versions of configurations have the columns of today, so that they differ from the present only where it does.
update config_content set "Content" = "Content"
    || jsonb_build_object('netProtocol', coalesce((select jsonb_agg('{"Mode": 0}'::jsonb || c) from jsonb_array_elements("Content"->'netProtocol') c), '[]'))
    || jsonb_build_object('serialProtocol', coalesce((select jsonb_agg('{"ProtocolType": 1}'::jsonb || c) from jsonb_array_elements("Content"->'serialProtocol') c), '[]'));
