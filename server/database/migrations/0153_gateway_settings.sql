-- Settings of gateways: what people want, and what each gateway says it runs.
create table gateway_para (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "GatewayId" bigint not null references gateway ("Id") on delete cascade,
    "ParaCode" text not null,
    "ParaValue" text not null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "gateway_para_ParaCode_key" unique ("GatewayId", "ParaCode")
);
select penstock_tenant_table('gateway_para');
alter table gateway add "Capabilities" jsonb, add "ReportedSettings" jsonb;
