-- How a company maps the columns of other programs' sheets to the fields of a point, by a hash of the titles.
create table point_layout (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Titles" text not null,
    "Config" jsonb not null,
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Titles")
);
select penstock_tenant_table('point_layout');
