-- Months that somebody closed. The statement is a text, so that its SHA-256 in the log can be worked out again; Prices are those in it.
create table energy_month (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ProjectId" bigint not null,
    "Month" text not null,
    "Statement" text not null,
    "Prices" jsonb not null,
    "Sha256" text not null,
    "CloserName" text,
    "CreateTime" timestamptz not null default now(),
    constraint "energy_month_Month_key" unique ("ProjectId", "Month"),
    constraint "energy_month_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id")
);
select penstock_tenant_table('energy_month');
create index energy_month_tenant on energy_month ("EnterpriseId");

-- Managers close months.
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m10703.close}'::text[]) code)
    where "RouteRole" = 'admin';
