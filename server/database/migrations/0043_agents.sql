create table agent (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "AgentName" text not null,
    "AgentNo" text,
    "Level" smallint not null default 1,
    "ParentAgentId" bigint,
    "Contact" text,
    "Phone" text,
    "Enabled" smallint not null default 1,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "agent_AgentName_key" unique ("EnterpriseId", "AgentName"),
    constraint "agent_AgentNo_key" unique ("EnterpriseId", "AgentNo"),
    constraint "agent_ParentAgentId_fkey" foreign key ("EnterpriseId", "ParentAgentId") references agent ("EnterpriseId", "Id"),
    check ("ParentAgentId" <> "Id")
);
create index agent_parent on agent ("EnterpriseId", "ParentAgentId");
select penstock_tenant_table('agent');

create table agent_region (
    "EnterpriseId" bigint not null references enterprise,
    "AgentId" bigint not null,
    "AreaCode" text not null,
    "Exclusive" smallint not null default 0,
    primary key ("EnterpriseId", "AgentId", "AreaCode"),
    foreign key ("EnterpriseId", "AgentId") references agent ("EnterpriseId", "Id") on delete cascade
);
create index agent_region_area on agent_region ("EnterpriseId", "AreaCode");
select penstock_tenant_table('agent_region');

create table sn_agent (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "SN" text not null,
    "AgentId" bigint not null,
    "AreaCodes" jsonb not null default '[]',
    "OutNo" text,
    "OutTime" timestamptz not null default now(),
    "CrossStatus" smallint not null default 0,
    "AreaCode" text,
    "PositionTime" timestamptz,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    constraint "sn_agent_SN_key" unique ("EnterpriseId", "SN"),
    constraint "sn_agent_AgentId_fkey" foreign key ("EnterpriseId", "AgentId") references agent ("EnterpriseId", "Id")
);
create index sn_agent_agent on sn_agent ("EnterpriseId", "AgentId");
create index sn_agent_time on sn_agent ("EnterpriseId", "OutTime" desc);
select penstock_tenant_table('sn_agent');

create table sn_agent_log (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "SN" text not null,
    "OpType" smallint not null,
    "AgentId" bigint,
    "FromText" text,
    "ToText" text,
    "UserId" bigint,
    "OpTime" timestamptz not null default now(),
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now()
);
create index sn_agent_log_sn on sn_agent_log ("EnterpriseId", "SN", "Id" desc);
select penstock_tenant_table('sn_agent_log');
revoke update, delete on sn_agent_log from penstock_tenant;

create table gateway_position (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "SN" text not null,
    "PositionTime" timestamptz not null default now(),
    "Source" smallint not null default 4,
    "AreaCode" text not null,
    "Lng" double precision,
    "Lat" double precision,
    "AccuracyM" double precision,
    "Address" text,
    "IsCross" smallint not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now()
);
create index gateway_position_sn on gateway_position ("EnterpriseId", "SN", "PositionTime" desc);
select penstock_tenant_table('gateway_position');
