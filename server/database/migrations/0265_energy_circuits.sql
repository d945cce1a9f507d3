-- Circuits: what a meter, a person or a formula counts of one kind of energy. ParaId, DeviceId and Multiplier are those of the present source.
create table energy_info (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "EnergyName" text not null,
    "EnergyCode" text not null,
    "ProjectId" bigint not null,
    "EnergyType" smallint not null default 1 check ("EnergyType" between 1 and 9),
    "Unit" text,
    "ParentId" bigint,
    "Source" smallint not null default 1 check ("Source" between 1 and 3),
    "ParaId" bigint,
    "DeviceId" bigint,
    "Multiplier" numeric(18, 6) not null default 1,
    "Formula" text,
    "FormulaIds" jsonb not null default '[]',
    "RegionId" bigint,
    "AreaM2" double precision,
    "ProductInfoId" bigint,
    "CountInTotal" smallint not null default 1,
    "Remark" text,
    "Sort" integer not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "energy_info_EnergyCode_key" unique ("EnterpriseId", "EnergyCode"),
    constraint "energy_info_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id"),
    constraint "energy_info_ParentId_fkey" foreign key ("EnterpriseId", "ParentId") references energy_info ("EnterpriseId", "Id"),
    constraint "energy_info_ParaId_fkey" foreign key ("EnterpriseId", "ParaId") references point ("EnterpriseId", "Id") on delete set null ("ParaId"),
    constraint "energy_info_DeviceId_fkey" foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id") on delete set null ("DeviceId"),
    constraint "energy_info_RegionId_fkey" foreign key ("EnterpriseId", "RegionId") references region ("EnterpriseId", "Id"),
    constraint "energy_info_ProductInfoId_fkey" foreign key ("EnterpriseId", "ProductInfoId") references energy_info ("EnterpriseId", "Id")
);
create index on energy_info ("ProjectId");
create index on energy_info ("ParentId");
create index on energy_info ("ParaId");
create index on energy_info ("DeviceId");
create index on energy_info ("RegionId");
create index on energy_info ("ProductInfoId");
select penstock_tenant_table('energy_info');

-- The meters of a circuit over time. ParaId has no foreign key: it names the point after it is deleted, too.
create table energy_source (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "EnergyInfoId" bigint not null,
    "From" timestamptz not null,
    "ParaId" bigint,
    "Multiplier" numeric(18, 6) not null default 1,
    "StartReading" numeric(18, 3),
    "EndReading" numeric(18, 3),
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "energy_source_From_key" unique ("EnergyInfoId", "From"),
    constraint "energy_source_EnergyInfoId_fkey" foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id") on delete cascade
);
create index on energy_source ("ParaId");
select penstock_tenant_table('energy_source');

-- Another meter or ratio of a circuit begins a source; the first one counts from before its first reading. A deleted point begins none.
create function penstock_energy_sourced() returns trigger language plpgsql as $$
begin
    insert into energy_source ("EnterpriseId", "EnergyInfoId", "From", "ParaId", "Multiplier")
    values (new."EnterpriseId", new."Id",
        case when exists (select 1 from energy_source s where s."EnergyInfoId" = new."Id") then date_trunc('second', now()) else timestamptz '2000-01-01 00:00:00Z' end,
        new."ParaId", new."Multiplier")
    on conflict ("EnergyInfoId", "From") do update set "ParaId" = excluded."ParaId", "Multiplier" = excluded."Multiplier", "UpdateTime" = now();
    return null;
end $$;
create trigger energy_info_made after insert on energy_info for each row
    when (new."ParaId" is not null and pg_trigger_depth() = 0) execute function penstock_energy_sourced();
create trigger energy_info_sourced after update of "ParaId", "Multiplier" on energy_info for each row
    when ((old."ParaId" is distinct from new."ParaId" or old."Multiplier" <> new."Multiplier") and pg_trigger_depth() = 0)
    execute function penstock_energy_sourced();

create function penstock_energy_present() returns trigger language plpgsql as $$
declare
    circuit bigint = case when tg_op = 'DELETE' then old."EnergyInfoId" else new."EnergyInfoId" end;
begin
    update energy_info e set "ParaId" = p."Id", "DeviceId" = p."DeviceId", "Multiplier" = coalesce(s."Multiplier", 1)
        from (select 1) one left join lateral (
            select * from energy_source where "EnergyInfoId" = circuit order by "From" desc limit 1) s on true
            left join public.point p on p."Id" = s."ParaId"
        where e."Id" = circuit;
    return null;
end $$;
create trigger energy_source_present after insert or update or delete on energy_source for each row execute function penstock_energy_present();

-- Per unit of a kind, from a day on. Kinds without one have the usual values of the contract.
create table energy_factor (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "EnergyType" smallint not null check ("EnergyType" between 1 and 9),
    "From" text not null,
    "Kgce" numeric(18, 9) not null,
    "Kgco2e" numeric(18, 9) not null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "energy_factor_From_key" unique ("EnterpriseId", "EnergyType", "From")
);
select penstock_tenant_table('energy_factor');

-- Whose the energy of a circuit is, from a day on: the shares of one day are 100 % together.
create table energy_cost_centre (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "EnergyInfoId" bigint not null,
    "From" date not null,
    "CostCentre" text not null,
    "Percent" numeric(7, 4) not null check ("Percent" > 0 and "Percent" <= 100),
    unique ("EnergyInfoId", "From", "CostCentre"),
    foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('energy_cost_centre');

-- What people enter: amounts, or readings of a meter. A circuit with entries is not removed.
create table energy_info_data (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "EnergyInfoId" bigint not null,
    "DataTime" timestamptz not null,
    "CycleType" smallint not null default 2 check ("CycleType" between 1 and 3),
    "Value" numeric(18, 3) not null check ("Value" >= 0),
    "IsReading" smallint not null default 0,
    "Source" smallint not null default 1,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "energy_info_data_DataTime_key" unique ("EnergyInfoId", "CycleType", "DataTime"),
    constraint "energy_info_data_EnergyInfoId_fkey" foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id")
);
create index on energy_info_data ("EnergyInfoId", "DataTime");
select penstock_tenant_table('energy_info_data');

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m107,m10702,m10702.add,m10702.edit,m10702.remove,m10704,m10704.add,m10704.edit,m10704.remove,m10704.import}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
-- Whoever looks at curves looks at energy, too; maintainers do not.
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m107,m10702,m10704}'::text[]) code)
    where "RouteRole" is distinct from 'admin' and 'm10301' = any("MenuCodes") and not 'm10702' = any("MenuCodes")
    and "RoleName" not in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
