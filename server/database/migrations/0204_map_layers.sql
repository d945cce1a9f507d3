-- Borders and plans of a company's own, which lie under the projects of its maps.
create table map_layer (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "LayerName" text not null,
    "ProjectId" bigint,
    "Kind" smallint not null default 1 check ("Kind" between 1 and 2),
    "Lines" jsonb,
    "Plan" jsonb,
    "West" double precision,
    "North" double precision,
    "East" double precision,
    "South" double precision,
    "Turn" double precision not null default 0,
    "IsShown" smallint not null default 1,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "map_layer_LayerName_key" unique ("EnterpriseId", "LayerName"),
    constraint "map_layer_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id")
);
select penstock_tenant_table('map_layer');
create index map_layer_project on map_layer ("ProjectId");

update role set "MenuCodes" = "MenuCodes" || '{m10312,m10312.add,m10312.edit,m10312.remove}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10312,m10312.add,m10312.edit,m10312.remove}'::text[]
where "RouteRole" = 'editor' and 'm10311' = any("MenuCodes") and 'm10101.edit' = any("MenuCodes");
