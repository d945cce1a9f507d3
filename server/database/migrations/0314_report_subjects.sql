-- What a report is about: a group, a project, a device, or the devices of a model in a project. Templates that exist are about their group;
-- schedules are about what their template is about.
alter table report_template
    add "About" text not null default 'group',
    add "ProjectId" bigint,
    add "DeviceId" bigint,
    add "ModelId" bigint,
    add "StandardParaId" bigint,
    add "PointSearch" text,
    alter "GroupId" drop not null,
    add constraint "report_template_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id"),
    add constraint "report_template_DeviceId_fkey" foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id"),
    add constraint "report_template_ModelId_fkey" foreign key ("EnterpriseId", "ModelId") references pro_model ("EnterpriseId", "Id"),
    add constraint "report_template_StandardParaId_fkey" foreign key ("StandardParaId") references standard_para ("Id");
create index report_template_project on report_template ("ProjectId") where "ProjectId" is not null;
create index report_template_device on report_template ("DeviceId") where "DeviceId" is not null;
create index report_template_model on report_template ("ModelId") where "ModelId" is not null;
create index report_template_standard on report_template ("StandardParaId") where "StandardParaId" is not null;

alter table report_schedule
    add "About" text not null default 'template',
    add "GroupId" bigint,
    add "DeviceId" bigint,
    add "ModelId" bigint,
    add "StandardParaId" bigint,
    add "PointSearch" text,
    add constraint "report_schedule_GroupId_fkey" foreign key ("EnterpriseId", "GroupId") references report_group ("EnterpriseId", "Id"),
    add constraint "report_schedule_DeviceId_fkey" foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id"),
    add constraint "report_schedule_ModelId_fkey" foreign key ("EnterpriseId", "ModelId") references pro_model ("EnterpriseId", "Id"),
    add constraint "report_schedule_StandardParaId_fkey" foreign key ("StandardParaId") references standard_para ("Id");
create index report_schedule_group on report_schedule ("GroupId") where "GroupId" is not null;
create index report_schedule_device on report_schedule ("DeviceId") where "DeviceId" is not null;
create index report_schedule_model on report_schedule ("ModelId") where "ModelId" is not null;
create index report_schedule_standard on report_schedule ("StandardParaId") where "StandardParaId" is not null;

alter table report_template_version
    add "About" text not null default 'group',
    add "ProjectId" bigint,
    add "DeviceId" bigint,
    add "ModelId" bigint,
    add "StandardParaId" bigint,
    add "PointSearch" text,
    alter "GroupId" drop not null;
alter table report_template_version alter "About" drop default;

create or replace function penstock_keep_report_template() returns trigger language plpgsql as $$
begin
    insert into report_template_version ("EnterpriseId", "TemplateId", "Version", "TemplateName", "Heading", "About", "GroupId", "ProjectId", "DeviceId",
        "ModelId", "StandardParaId", "PointSearch", "Period", "Paper", "Landscape", "Blocks")
    select old."EnterpriseId", old."Id", 1 + coalesce(max(v."Version"), 0), old."TemplateName", old."Heading", old."About", old."GroupId", old."ProjectId",
        old."DeviceId", old."ModelId", old."StandardParaId", old."PointSearch", old."Period", old."Paper", old."Landscape", old."Blocks"
    from report_template_version v where v."TemplateId" = old."Id";
    delete from report_template_version v where v."TemplateId" = old."Id"
        and v."Version" <= (select max(w."Version") from report_template_version w where w."TemplateId" = old."Id") - 50;
    return null;
end $$;
drop trigger report_template_kept on report_template;
create trigger report_template_kept after update on report_template for each row
    when ((old."TemplateName", old."Heading", old."About", old."GroupId", old."ProjectId", old."DeviceId", old."ModelId", old."StandardParaId",
            old."PointSearch", old."Period", old."Paper", old."Landscape", old."Blocks")
        is distinct from (new."TemplateName", new."Heading", new."About", new."GroupId", new."ProjectId", new."DeviceId", new."ModelId", new."StandardParaId",
            new."PointSearch", new."Period", new."Paper", new."Landscape", new."Blocks"))
    execute function penstock_keep_report_template();
