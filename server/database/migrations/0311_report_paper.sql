-- The paper of a report. Templates that exist go on as they were, on A4; new ones take what is usual in the company's time zone.
alter table report_template add "Paper" text not null default 'A4';
alter table report_template alter "Paper" set default 'auto';
alter table report_template_version add "Paper" text not null default 'A4';

create or replace function penstock_keep_report_template() returns trigger language plpgsql as $$
begin
    insert into report_template_version ("EnterpriseId", "TemplateId", "Version", "TemplateName", "Heading", "GroupId", "Period", "Paper", "Landscape", "Blocks")
    select old."EnterpriseId", old."Id", 1 + coalesce(max(v."Version"), 0), old."TemplateName", old."Heading", old."GroupId", old."Period", old."Paper", old."Landscape", old."Blocks"
    from report_template_version v where v."TemplateId" = old."Id";
    delete from report_template_version v where v."TemplateId" = old."Id"
        and v."Version" <= (select max(w."Version") from report_template_version w where w."TemplateId" = old."Id") - 50;
    return null;
end $$;
drop trigger report_template_kept on report_template;
create trigger report_template_kept after update on report_template for each row
    when ((old."TemplateName", old."Heading", old."GroupId", old."Period", old."Paper", old."Landscape", old."Blocks")
        is distinct from (new."TemplateName", new."Heading", new."GroupId", new."Period", new."Paper", new."Landscape", new."Blocks"))
    execute function penstock_keep_report_template();
