alter table gateway_event add column "UpdateTime" timestamptz not null default now();
alter table gateway_event add unique ("EnterpriseId", "Id");
create index gateway_event_list on gateway_event ("EnterpriseId", "Id" desc);
create index gateway_event_type on gateway_event ("GatewayId", "Type", "Id" desc);

-- Which faults of gateways are alarms.
create table alm_gateway_template (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TemplateName" text not null,
    "Offline" smallint not null default 1,
    "OfflineLevel" smallint not null default 2,
    "OfflineDelay" integer not null default 0,
    "Power" smallint not null default 1,
    "PowerLevel" smallint not null default 3,
    "PowerDelay" integer not null default 0,
    "Storage" smallint not null default 1,
    "StorageLevel" smallint not null default 2,
    "StorageDelay" integer not null default 0,
    "StorageLimit" double precision,
    "Firmware" smallint not null default 0,
    "FirmwareLevel" smallint not null default 1,
    "FirmwareDelay" integer not null default 0,
    "FirmwareVer" text,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "alm_gateway_template_TemplateName_key" unique ("EnterpriseId", "TemplateName")
);
select penstock_tenant_table('alm_gateway_template');

create table alarm_setting (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "SettingName" text not null,
    "AlmGatewayTemplateId" bigint not null,
    "ProjectId" bigint,
    "GatewayId" bigint,
    "Enabled" smallint not null default 1,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "alarm_setting_SettingName_key" unique ("EnterpriseId", "SettingName"),
    constraint "alarm_setting_AlmGatewayTemplateId_fkey" foreign key ("EnterpriseId", "AlmGatewayTemplateId")
        references alm_gateway_template ("EnterpriseId", "Id"),
    constraint "alarm_setting_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id") on delete cascade,
    constraint "alarm_setting_GatewayId_fkey" foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id") on delete cascade
);
create index alarm_setting_template on alarm_setting ("AlmGatewayTemplateId");
create index alarm_setting_project on alarm_setting ("ProjectId");
create index alarm_setting_gateway on alarm_setting ("GatewayId");
select penstock_tenant_table('alarm_setting');

-- What a rule may begin with.
create table alm_template (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TemplateName" text not null,
    "RuleType" smallint not null default 1,
    "AlarmLevel" smallint not null default 2,
    "RuleConfigure" jsonb not null,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "alm_template_TemplateName_key" unique ("EnterpriseId", "TemplateName")
);
select penstock_tenant_table('alm_template');

-- Which alarms reach a person, and how the tenant reminds; no row where the standard holds.
create table alarm_user_setting (
    "EnterpriseId" bigint not null references enterprise,
    "UserId" bigint primary key references "user" ("Id") on delete cascade,
    "Setting" jsonb not null,
    "UpdateTime" timestamptz not null default now()
);
select penstock_tenant_table('alarm_user_setting');
create table alarm_reminder (
    "EnterpriseId" bigint primary key references enterprise,
    "Setting" jsonb not null,
    "UpdateTime" timestamptz not null default now()
);
select penstock_tenant_table('alarm_reminder');

update role set "MenuCodes" = "MenuCodes" || '{m10109,m10209,m10209.add,m10209.edit,m10209.remove,m10210,m10210.add,m10210.edit,m10210.remove,m10212,m10212.edit,m10213,m10213.edit,m10302}'::text[]
where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10109,m10302}'::text[] where "RouteRole" = 'editor' and 'm10102' = any("MenuCodes");
