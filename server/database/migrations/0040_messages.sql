-- Message templates, channels and the queue that is their log.

-- Of each business type one template at most is the standard one: a new one takes it over.
create function penstock_one_default() returns trigger language plpgsql as $$
begin
    if new."IsDefault" = 1 then
        execute format('update %I set "IsDefault" = 0, "UpdateTime" = now() where "EnterpriseId" = $1 and "BizType" = $2 and "IsDefault" = 1 and "Id" <> $3', tg_table_name)
            using new."EnterpriseId", new."BizType", new."Id";
    end if;
    return null;
end $$;

create table alm_wechat_template (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TemplateName" text not null,
    "BizType" smallint not null default 1,
    "TemplateId" text not null,
    "FieldMap" jsonb,
    "Enabled" smallint not null default 1,
    "IsDefault" smallint not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    constraint "alm_wechat_template_TemplateName_key" unique ("EnterpriseId", "TemplateName")
);
create table alm_email_template (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TemplateName" text not null,
    "BizType" smallint not null default 1,
    "Title" text not null,
    "Content" text not null,
    "Enabled" smallint not null default 1,
    "IsDefault" smallint not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    constraint "alm_email_template_TemplateName_key" unique ("EnterpriseId", "TemplateName")
);
create table alm_sms_template (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TemplateName" text not null,
    "BizType" smallint not null default 1,
    "TemplateId" text not null,
    "SignName" text,
    "Content" text,
    "FieldMap" jsonb,
    "Enabled" smallint not null default 1,
    "IsDefault" smallint not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    constraint "alm_sms_template_TemplateName_key" unique ("EnterpriseId", "TemplateName")
);
do $$ declare name text; begin
    foreach name in array '{alm_wechat_template,alm_email_template,alm_sms_template}'::text[] loop
        perform penstock_tenant_table(name);
        execute format('create trigger one_default after insert or update of "IsDefault", "BizType" on %I for each row when (new."IsDefault" = 1) execute function penstock_one_default()', name);
    end loop;
end $$;

create table ding_robot (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Name" text not null,
    "Keywords" text,
    "AtMobiles" text,
    "Enabled" smallint not null default 1,
    "HasToken" smallint not null default 0,
    "HasSecret" smallint not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    constraint "ding_robot_Name_key" unique ("EnterpriseId", "Name")
);
select penstock_tenant_table('ding_robot');

create table alm_push_record (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Method" text not null,
    "BizType" smallint not null default 1,
    "Target" text not null,
    "UserId" bigint,
    "Title" text not null,
    "Content" text,
    "SendStatus" smallint not null default 0,
    "ErrorText" text,
    "RetryCount" integer not null default 0,
    "NextTime" timestamptz,
    "SendTime" timestamptz,
    "AlmInfoId" bigint,
    -- Below is the queue's own: where it goes, what the provider is given, who is sending it until when, and what it must be told once for.
    "Address" text not null,
    "Payload" jsonb not null,
    "LeaseUntil" timestamptz,
    "Source" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    constraint "alm_push_record_Source" unique ("EnterpriseId", "Source"),
    foreign key ("EnterpriseId", "UserId") references "user" ("EnterpriseId", "Id") on delete set null ("UserId")
);
create index alm_push_record_list on alm_push_record ("EnterpriseId", "Id" desc);
create index alm_push_record_due on alm_push_record ("NextTime", "Id") where "SendStatus" = 0;
create index alm_push_record_waiting on alm_push_record ("EnterpriseId") where "SendStatus" = 0;
create index alm_push_record_rate on alm_push_record ("EnterpriseId", "Address", "SendTime" desc) where "Method" = 'dingtalk' and "SendStatus" = 1;
create index alm_push_record_time on alm_push_record ("CreateTime");
create index alm_push_record_user on alm_push_record ("EnterpriseId", "UserId");
select penstock_tenant_table('alm_push_record');

-- Settings of a tenant that are one record each.
create table tenant_config (
    "EnterpriseId" bigint not null references enterprise on delete cascade,
    "Name" text not null,
    "Config" jsonb not null default '{}',
    "UpdateTime" timestamptz not null default now(),
    primary key ("EnterpriseId", "Name")
);
select penstock_tenant_table('tenant_config');

-- Secrets of tenants, sealed with a key that is not in here. No tenant-scoped statement reaches them.
create table sealed_secret (
    "EnterpriseId" bigint not null references enterprise on delete cascade,
    "Name" text not null,
    "Value" bytea not null,
    primary key ("EnterpriseId", "Name")
);
select penstock_system_table('sealed_secret');

-- A person's WeChat, and which messages he takes.
create table user_push (
    "EnterpriseId" bigint not null references enterprise,
    "UserId" bigint primary key,
    "OpenId" text,
    "UnionId" text,
    "OpenStatus" smallint not null default 1,
    "Switches" jsonb not null default '[]',
    foreign key ("EnterpriseId", "UserId") references "user" ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('user_push');

create table wechat_grant (
    "State" text primary key,
    "UserId" bigint not null references "user" on delete cascade,
    "ExpireTime" timestamptz not null
);
create index wechat_grant_user on wechat_grant ("UserId");
select penstock_system_table('wechat_grant');
