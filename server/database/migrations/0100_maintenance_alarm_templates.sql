-- Whom orders of the maintenance centre are told to.
create table mtn_alm_template (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TemplateName" text not null,
    "OrderKind" smallint not null default 1,
    "Event" smallint not null default 1,
    "LeadTime" integer not null default 60,
    "AlarmPush" jsonb not null,
    "Enabled" smallint not null default 1,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_alm_template_TemplateName_key" unique ("EnterpriseId", "TemplateName")
);
select penstock_tenant_table('mtn_alm_template');
