-- Symbols that a company draws for its process pictures.
create table picture_symbol (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "SymbolName" text not null,
    "Drawing" jsonb not null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    constraint "picture_symbol_SymbolName_key" unique ("EnterpriseId", "SymbolName")
);
select penstock_tenant_table('picture_symbol');
