-- Dashboards that people put together, of a project or of the whole company.
create table visual_board (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Title" text not null,
    "ProjectId" bigint,
    "IsDefault" smallint not null default 0 check ("IsDefault" in (0, 1)),
    "Content" jsonb not null,
    "Images" jsonb,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "visual_board_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id")
);
select penstock_tenant_table('visual_board');
create index visual_board_title on visual_board ("EnterpriseId", "Title");
create index visual_board_project on visual_board ("ProjectId");
-- One board opens first, of each project and of the company.
create unique index visual_board_default on visual_board ("EnterpriseId", coalesce("ProjectId", 0)) where "IsDefault" = 1;

update role set "MenuCodes" = "MenuCodes" || '{m10310,m10310.add,m10310.edit,m10310.remove}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10310}'::text[] where "RouteRole" <> 'admin' and 'm10301' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10310.add,m10310.edit,m10310.remove}'::text[]
where "RouteRole" <> 'admin' and 'm10301' = any("MenuCodes") and 'm10103.edit' = any("MenuCodes");
