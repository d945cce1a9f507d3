-- Screens of field panels. Their passwords lie in sealed_secret, and go with them.
create table device_vnc (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "VncName" text not null,
    "DeviceId" bigint not null,
    "Host" text not null,
    "Port" integer not null default 5900,
    "ViewOnly" smallint not null default 1 check ("ViewOnly" in (0, 1)),
    "Enabled" smallint not null default 1,
    "HasPassword" smallint not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "device_vnc_VncName_key" unique ("DeviceId", "VncName"),
    constraint "device_vnc_DeviceId_fkey" foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('device_vnc');

-- The owner of the tables, too, is held to policies.
do $$
begin
    execute format('create policy panels on sealed_secret for all to %I using ("Name" like ''deviceVnc.%%'')', current_user);
end $$;
create function penstock_forget_panel() returns trigger language plpgsql security definer set search_path = pg_catalog, public as $$
begin
    delete from public.sealed_secret where "EnterpriseId" = old."EnterpriseId" and "Name" = 'deviceVnc.' || old."Id" || '.Password';
    return old;
end $$;
create trigger forget_panel after delete on device_vnc for each row execute function penstock_forget_panel();

update role set "MenuCodes" = "MenuCodes" || '{m10122,m10122.add,m10122.edit,m10122.remove,m10122.control}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10122}'::text[] where "RouteRole" = 'editor' and 'm10103' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10122.add,m10122.edit,m10122.remove,m10122.control}'::text[]
where "RouteRole" = 'editor' and 'm10103.edit' = any("MenuCodes");
