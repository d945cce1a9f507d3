-- What a circuit is expected to use, by what it depends on. Versions are added, never changed.
create table energy_baseline (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "EnergyInfoId" bigint not null,
    "Version" integer not null,
    "DateFrom" text not null,
    "DateTo" text not null,
    -- Of what it depends, and its coefficients.
    "Model" jsonb not null,
    "Fit" jsonb not null,
    "AcceptedBy" text,
    "CreateTime" timestamptz not null default now(),
    constraint "energy_baseline_Version_key" unique ("EnergyInfoId", "Version"),
    foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('energy_baseline');
create index energy_baseline_tenant on energy_baseline ("EnterpriseId");

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m107,m10710,m10710.accept}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m107,m10710}'::text[]) code)
    where "RouteRole" is distinct from 'admin' and 'm10701' = any("MenuCodes") and not 'm10710' = any("MenuCodes");
