-- Prices of energy. Later prices of a tariff are versions of its first.
create table electricity_price_standard (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "StandardName" text not null,
    "EnergyType" smallint not null default 1,
    "VersionOfId" bigint,
    "ValidFrom" text not null,
    "ValidTo" text,
    "RegionId" bigint,
    "VoltageLevel" text,
    "UserType" text,
    "TariffType" smallint not null default 1,
    "BasePrice" bigint,
    "Seasons" jsonb,
    "Tiers" jsonb,
    "TierPeriod" smallint default 1,
    "DemandType" smallint not null default 0,
    "DemandPrice" bigint,
    "DemandKva" double precision,
    "DemandMinutes" smallint default 15,
    "PfStandard" double precision,
    "Charges" jsonb,
    "Taxes" jsonb,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "electricity_price_standard_StandardName_key" unique ("EnterpriseId", "StandardName"),
    constraint "electricity_price_standard_VersionOfId_fkey" foreign key ("EnterpriseId", "VersionOfId")
        references electricity_price_standard ("EnterpriseId", "Id"),
    constraint "electricity_price_standard_RegionId_fkey" foreign key ("EnterpriseId", "RegionId")
        references region ("EnterpriseId", "Id")
);
create index on electricity_price_standard ("VersionOfId");
create index on electricity_price_standard ("RegionId");
select penstock_tenant_table('electricity_price_standard');

-- Managers and editors edit prices; whoever else looks at energy sees which tariffs there are, without their prices.
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m107,m10707,m10707.add,m10707.edit,m10707.remove,m10707.price}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m107,m10707}'::text[]) code)
    where "RouteRole" is distinct from 'admin' and 'm10702' = any("MenuCodes") and not 'm10707' = any("MenuCodes");
