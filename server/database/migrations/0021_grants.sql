-- What a tenant may have: a version with its menus and limits, its own instead, and from when until when.

create table version (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Name" text not null,
    "MenuCodes" jsonb not null default '[]',
    "MaxGateways" integer,
    "MaxUsers" integer,
    "MaxPoints" integer,
    "Price" double precision,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "version_Name_key" unique ("Name")
);
select penstock_tenant_table('version');

alter table enterprise rename column "MapKey" to "BaiduKey";
alter table enterprise
    add "EnterpriseNo" text constraint "enterprise_EnterpriseNo_key" unique,
    add "DirectoryName" text constraint "enterprise_DirectoryName_key" unique,
    add "VersionId" bigint constraint "enterprise_VersionId_fkey" references version,
    -- Instead of the version's; null: the version's, and without one everything a tenant can have.
    add "MenuCodes" text[],
    add "MaxGateways" integer,
    add "MaxPoints" integer,
    add "GrantFrom" timestamptz,
    add "GrantTo" timestamptz,
    -- Since when it is disabled.
    add "ClosedTime" timestamptz,
    add "PasswordMin" integer,
    add "IdleMinutes" integer,
    add "MapProvider" text,
    add "Longitude" double precision,
    add "Latitude" double precision,
    add "About" text;

-- Of the versions a tenant sees its own, whose limits hold for it.
create policy own on version for select to penstock_tenant
    using ("Id" = (select "VersionId" from enterprise e where e."Id" = nullif(current_setting('penstock.tenant', true), '')::bigint));

-- One row more than the tenant may have undoes the statement. People who add at once wait for each other.
create function penstock_room() returns trigger language plpgsql as $$
declare
    tenant record;
    most integer;
    held integer;
begin
    for tenant in select distinct "EnterpriseId" as id from added loop
        execute format('select coalesce(e.%1$I, v.%1$I) from enterprise e left join version v on v."Id" = e."VersionId" where e."Id" = $1 for no key update of e', TG_ARGV[0])
            into most using tenant.id;
        if most is not null then
            execute format('select count(*)::int from %I where "EnterpriseId" = $1', TG_TABLE_NAME) into held using tenant.id;
            if held > most then
                -- PN001 is the fault noRoom; its constraint says of what.
                raise exception 'no room' using errcode = 'PN001', constraint = TG_ARGV[0], detail = most::text;
            end if;
        end if;
    end loop;
    return null;
end $$;
create trigger gateway_room after insert on gateway referencing new table as added for each statement execute function penstock_room('MaxGateways');
create trigger user_room after insert on "user" referencing new table as added for each statement execute function penstock_room('MaxUsers');
create trigger point_room after insert on point referencing new table as added for each statement execute function penstock_room('MaxPoints');
create index point_enterprise on point ("EnterpriseId");
