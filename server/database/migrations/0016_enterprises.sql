-- A tenant is a row of its own tenant: lists and details treat it like any other.
alter table enterprise
    add "EnterpriseId" bigint generated always as ("Id") stored,
    add "Contact" text,
    add "Phone" text,
    add "Address" text,
    add "Remark" text;
