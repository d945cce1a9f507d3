-- What a template was before it was changed: its last 50 states.
create table report_template_version (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TemplateId" bigint not null,
    "Version" integer not null,
    "TemplateName" text not null,
    "Heading" text,
    "GroupId" bigint not null,
    "Period" text not null,
    "Landscape" smallint not null,
    "Blocks" jsonb not null,
    "CreateTime" timestamptz not null default now(),
    unique ("TemplateId", "Version"),
    foreign key ("EnterpriseId", "TemplateId") references report_template ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('report_template_version');

create function penstock_keep_report_template() returns trigger language plpgsql as $$
begin
    insert into report_template_version ("EnterpriseId", "TemplateId", "Version", "TemplateName", "Heading", "GroupId", "Period", "Landscape", "Blocks")
    select old."EnterpriseId", old."Id", 1 + coalesce(max(v."Version"), 0), old."TemplateName", old."Heading", old."GroupId", old."Period", old."Landscape", old."Blocks"
    from report_template_version v where v."TemplateId" = old."Id";
    delete from report_template_version v where v."TemplateId" = old."Id"
        and v."Version" <= (select max(w."Version") from report_template_version w where w."TemplateId" = old."Id") - 50;
    return null;
end $$;
create trigger report_template_kept after update on report_template for each row
    when ((old."TemplateName", old."Heading", old."GroupId", old."Period", old."Landscape", old."Blocks")
        is distinct from (new."TemplateName", new."Heading", new."GroupId", new."Period", new."Landscape", new."Blocks"))
    execute function penstock_keep_report_template();
