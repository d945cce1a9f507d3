-- What people have set for themselves. Not part of the plant's record: no change entries, and they go with their person.

create table theme_set (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "UserId" bigint not null unique,
    "ThemeColor" text not null,
    "NavigationBar" text not null,
    "Sidebar" text not null,
    "BSidebarLogo" smallint not null,
    "BTabbar" smallint not null,
    "BFooter" smallint not null,
    "BFixedFooter" smallint not null,
    "Mode" text not null,
    "BCompact" smallint not null,
    "BContrast" smallint not null,
    "UpdateTime" timestamptz not null default now(),
    foreign key ("EnterpriseId", "UserId") references "user" ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('theme_set');

create table table_preference (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "UserId" bigint not null,
    "MenuEncoding" text not null,
    "RowHeight" smallint not null default 32,
    -- [{Field, Width, Fixed, Visible, Sort}]
    "Columns" jsonb not null default '[]',
    -- [{Name, Query, IsDefault}]
    "Views" jsonb not null default '[]',
    "UpdateTime" timestamptz not null default now(),
    constraint "table_preference_MenuEncoding_key" unique ("UserId", "MenuEncoding"),
    foreign key ("EnterpriseId", "UserId") references "user" ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('table_preference');
