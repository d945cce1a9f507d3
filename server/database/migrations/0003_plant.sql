-- Gateways, their channels, devices and points. Keys that point to a parent carry the tenant,
-- because foreign keys look past row-level security.
create table gateway (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "GatewayName" text not null,
    "SN" text not null,
    "SecretHash" text,
    "ProjectId" bigint not null,
    "GatewayTypeId" smallint not null default 1,
    "GatewaySubTypeId" smallint default 1,
    "HeartbeatPeriod" integer not null default 60,
    "Remark" text,
    "OnlineStatus" smallint not null default 2,
    "ConfigStatus" smallint not null default 1,
    "ConfigVersion" integer,
    "TargetConfigVersion" integer not null default 0,
    "LastHeartbeatTime" timestamptz,
    "LastOnlineTime" timestamptz,
    "LastOfflineTime" timestamptz,
    "Ip" text,
    "FirmwareVer" text,
    "HardwareVer" text,
    "CCID" text,
    "Rssi" double precision,
    "CpuRate" double precision,
    "MemRate" double precision,
    "DiskRate" double precision,
    "UpTime" double precision,
    "TimeOffsetMs" double precision,
    "CacheCount" bigint,
    "RemoteLock" smallint,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "gateway_SN_key" unique ("SN"),
    foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id")
);
create index gateway_project on gateway ("ProjectId");
create index gateway_name on gateway ("EnterpriseId", "GatewayName", "Id");
select penstock_tenant_table('gateway');

create table net_protocol (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ProtocolName" text not null,
    "GatewayId" bigint not null,
    "ProtocolType" smallint not null default 0,
    "Ip" text not null,
    "Port" integer not null default 502,
    "InterFrameMs" integer not null default 0,
    "RetryCount" integer not null default 3,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    unique ("GatewayId", "Id"),
    constraint "net_protocol_ProtocolName_key" unique ("GatewayId", "ProtocolName"),
    foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id")
);
select penstock_tenant_table('net_protocol');

create table serial_protocol (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ProtocolName" text not null,
    "GatewayId" bigint not null,
    "SerialPort" text not null,
    "BaudRate" integer not null default 9600,
    "DataBits" smallint not null default 8,
    "StopBits" smallint not null default 1,
    "Parity" smallint not null default 0,
    "InterFrameMs" integer not null default 0,
    "RetryCount" integer not null default 3,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    unique ("GatewayId", "Id"),
    constraint "serial_protocol_ProtocolName_key" unique ("GatewayId", "ProtocolName"),
    foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id")
);
select penstock_tenant_table('serial_protocol');

create table device (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "DeviceName" text not null,
    "GatewayId" bigint not null,
    "CommType" smallint not null default 0,
    "NetProtocolId" bigint,
    "SerialProtocolId" bigint,
    "SlaveNumber" integer not null default 1,
    "Remark" text,
    "Status" smallint not null default 3,
    "OkCount" bigint,
    "ErrCount" bigint,
    "LastDataTime" timestamptz,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "device_DeviceName_key" unique ("GatewayId", "DeviceName"),
    foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id"),
    -- a device's channel is one of its own gateway
    constraint "device_NetProtocolId_fkey" foreign key ("GatewayId", "NetProtocolId") references net_protocol ("GatewayId", "Id"),
    constraint "device_SerialProtocolId_fkey" foreign key ("GatewayId", "SerialProtocolId") references serial_protocol ("GatewayId", "Id")
);
create index device_name on device ("EnterpriseId", "DeviceName", "Id");
create index device_net_protocol on device ("NetProtocolId");
create index device_serial_protocol on device ("SerialProtocolId");
select penstock_tenant_table('device');

-- A device's points go with it; their history stays until retention ends (findings 25).
create table point (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "DeviceId" bigint not null,
    "ParaName" text not null,
    "ReadWriteType" smallint not null default 0,
    "RegisterType" smallint not null default 4,
    "ParaDataType" smallint not null default 7,
    "Address" text not null,
    "SlaveNumber" integer not null default 1,
    "SampleLow" double precision,
    "SampleHigh" double precision,
    "ProjectLow" double precision,
    "ProjectHigh" double precision,
    "AxisMin" double precision,
    "AxisMax" double precision,
    "ParaUnitName" text,
    "IsChartShow" smallint not null default 1,
    "IsReportShow" smallint not null default 1,
    "DecimalDigits" smallint not null default 2,
    "AlarmLow" double precision,
    "AlarmHigh" double precision,
    "UploadMode" smallint not null default 1,
    "CollectPeriod" integer not null default 1000,
    "IntervalTime" integer not null default 0,
    "Timeout" integer not null default 1000,
    "UploadPeriod" integer not null default 60,
    "CollectType" smallint not null default 0,
    "IsCache" smallint not null default 0,
    "IsStore" smallint not null default 0,
    "IsReport" smallint not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "point_ParaName_key" unique ("DeviceId", "ParaName"),
    foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('point');

-- What was sent to a gateway, by whom, and its answer.
create table command (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "GatewayId" bigint not null,
    "CmdType" text not null,
    "MsgId" text not null,
    "Payload" jsonb,
    "SendTime" timestamptz not null default now(),
    "AckTime" timestamptz,
    "Code" integer,
    "Msg" text,
    "Detail" jsonb,
    "UserId" bigint,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id") on delete cascade
);
create index command_gateway on command ("GatewayId", "Id" desc);
create unique index command_message on command ("MsgId");
select penstock_tenant_table('command');
