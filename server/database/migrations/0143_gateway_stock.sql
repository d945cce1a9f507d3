-- The stock of serial numbers. EnterpriseId owns the box; HolderId is the company that has it as a gateway.
create table gateway_sn (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "SN" text not null,
    "GatewayTypeId" smallint not null default 1,
    "SubTypeId" smallint default 1,
    "Batch" text,
    "ProduceDate" text,
    "Status" smallint not null default 1,
    "BoundTime" timestamptz,
    "HolderId" bigint references enterprise on delete set null,
    "CodeHash" text not null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "gateway_sn_SN_key" unique ("SN")
);
create index gateway_sn_batch on gateway_sn ("EnterpriseId", "Batch");
create index gateway_sn_status on gateway_sn ("EnterpriseId", "Status");
create index gateway_sn_holder on gateway_sn ("HolderId");
select penstock_tenant_table('gateway_sn');

-- What follows looks at other companies' stock and gateways. The owner of the tables, too, is held to policies.
do $$
begin
    execute format('create policy serials on gateway_sn for all to %I using (true)', current_user);
    execute format('create policy serials on gateway for select to %I using (true)', current_user);
    execute format('create policy serials on "user" for select to %I using (true)', current_user);
    execute format('create policy serials on sn_agent_log for insert to %I with check (true)', current_user);
end $$;

-- Writes the history of a number in its owner's stock: 8 bound, 9 unbound. Names a person only to his own company.
create function penstock_note_serial(serial text, op smallint, holder bigint) returns void language sql security definer set search_path = pg_catalog, public as $$
    insert into public.sn_agent_log ("EnterpriseId", "SN", "OpType", "UserId")
    select s."EnterpriseId", s."SN", op, u."Id" from public.gateway_sn s
    left join public."user" u on u."Id" = nullif(current_setting('penstock.user', true), '')::bigint and u."EnterpriseId" = s."EnterpriseId"
    where s."SN" = serial and holder is not null
$$;

-- A gateway takes its number out of the stock, and returns it. That of another company must have been claimed with its code.
create function penstock_take_serial(serial text, tenant bigint) returns void language plpgsql security definer set search_path = pg_catalog, public as $$
declare
    stock public.gateway_sn;
begin
    select * into stock from public.gateway_sn where "SN" = serial for update;
    if not found then return; end if;
    if stock."Status" = 3 and stock."HolderId" = tenant or stock."EnterpriseId" = tenant and stock."Status" in (0, 1, 2, 4) then
        update public.gateway_sn set "Status" = 3, "HolderId" = tenant, "BoundTime" = now(), "UpdateTime" = now() where "Id" = stock."Id";
        perform public.penstock_note_serial(serial, 8::smallint, tenant);
    else
        raise unique_violation using constraint = 'gateway_SN_key', table = 'gateway', message = 'not available';
    end if;
end $$;
create function penstock_return_serial(serial text, tenant bigint) returns void language plpgsql security definer set search_path = pg_catalog, public as $$
begin
    update public.gateway_sn set "Status" = 4, "HolderId" = null, "BoundTime" = null, "UpdateTime" = now()
    where "SN" = serial and "Status" = 3 and "HolderId" = tenant;
    if found then perform public.penstock_note_serial(serial, 9::smallint, tenant); end if;
end $$;
create function penstock_gateway_serial() returns trigger language plpgsql security definer set search_path = pg_catalog, public as $$
begin
    if TG_OP <> 'INSERT' and old."SN" is not null then perform public.penstock_return_serial(old."SN", old."EnterpriseId"); end if;
    if TG_OP <> 'DELETE' and new."SN" is not null then perform public.penstock_take_serial(new."SN", new."EnterpriseId"); end if;
    return null;
end $$;
revoke execute on function penstock_note_serial, penstock_take_serial, penstock_return_serial from public;
create trigger gateway_serial_added after insert or delete on gateway for each row execute function penstock_gateway_serial();
create trigger gateway_serial_changed after update of "SN" on gateway for each row when (old."SN" is distinct from new."SN") execute function penstock_gateway_serial();

-- A number that is a gateway of its owner is bound; one of another company's gateway cannot enter a stock.
create function penstock_stock_serial() returns trigger language plpgsql security definer set search_path = pg_catalog, public as $$
declare
    holder bigint;
begin
    select "EnterpriseId" into holder from public.gateway where "SN" = new."SN";
    if holder = new."EnterpriseId" then
        new."Status" := 3;
        new."HolderId" := holder;
        new."BoundTime" := now();
    elsif holder is not null then
        return null;
    end if;
    return new;
end $$;
create trigger gateway_sn_added before insert on gateway_sn for each row execute function penstock_stock_serial();

-- Shipments move what is in the stock.
create function penstock_ship_serial() returns trigger language plpgsql as $$
begin
    if TG_OP = 'INSERT' then
        update gateway_sn set "Status" = 2, "UpdateTime" = now() where "SN" = new."SN" and "EnterpriseId" = new."EnterpriseId" and "Status" in (0, 1, 4);
    else
        update gateway_sn set "Status" = 4, "UpdateTime" = now() where "SN" = old."SN" and "EnterpriseId" = old."EnterpriseId" and "Status" = 2;
    end if;
    return null;
end $$;
create trigger sn_agent_stock after insert or delete on sn_agent for each row execute function penstock_ship_serial();

update role set "MenuCodes" = "MenuCodes" || '{m12005.add,m12005.edit,m12005.remove}'::text[] where 'm12004.add' = any("MenuCodes") and not 'm12005.add' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10102.bind,m10102.unbind,m10102.replace}'::text[] where "RouteRole" = 'admin' and not 'm10102.bind' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10102.bind,m10102.unbind,m10102.replace}'::text[]
where "RouteRole" = 'editor' and 'm10102.add' = any("MenuCodes") and not 'm10102.bind' = any("MenuCodes");
