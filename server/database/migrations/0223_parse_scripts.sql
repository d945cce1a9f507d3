-- A parser is a mapping (Kind 1) or a script (Kind 2), which gets its messages as JSON, text or bytes (Input 1 to 3).
alter table data_parse
    add column "Kind" smallint not null default 1 check ("Kind" in (1, 2)),
    add column "Input" smallint not null default 1 check ("Input" in (1, 2, 3)),
    add column "Script" text,
    alter column "Mapping" drop not null,
    add constraint "data_parse_of_its_kind" check (case "Kind" when 1 then "Mapping" else to_jsonb("Script") end is not null);
alter table data_parse_version
    add column "Kind" smallint not null default 1,
    add column "Input" smallint not null default 1,
    add column "Script" text,
    alter column "Mapping" drop not null;
