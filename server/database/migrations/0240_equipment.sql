-- Things to maintain below a project. One that is a device has its name and project, and stays when the device is removed.
create table mtn_equipment (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "EquipmentName" text not null,
    "EquipmentNo" text,
    "ProjectId" bigint not null,
    "ParentId" bigint,
    "DeviceId" bigint,
    "Criticality" smallint not null default 2,
    "Location" text,
    "Maker" text,
    "Model" text,
    "SerialNo" text,
    "WarrantyUntil" text,
    "Files" jsonb,
    "Remark" text,
    "Sort" integer not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_equipment_DeviceId_key" unique ("EnterpriseId", "DeviceId"),
    constraint "mtn_equipment_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id"),
    constraint "mtn_equipment_ParentId_fkey" foreign key ("EnterpriseId", "ParentId") references mtn_equipment ("EnterpriseId", "Id"),
    constraint "mtn_equipment_DeviceId_fkey" foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id") on delete set null ("DeviceId")
);
create index on mtn_equipment ("ProjectId");
create index on mtn_equipment ("ParentId");
create index on mtn_equipment ("DeviceId");
select penstock_tenant_table('mtn_equipment');

create function penstock_equipment_named() returns trigger language plpgsql as $$
begin
    update mtn_equipment set "EquipmentName" = new."DeviceName", "UpdateTime" = now() where "DeviceId" = new."Id";
    return null;
end $$;
create trigger device_equipment after update of "DeviceName" on device for each row
    when (old."DeviceName" is distinct from new."DeviceName") execute function penstock_equipment_named();
-- Equipment moves with its gateway; what stays behind is at the top of its project.
create function penstock_equipment_moved() returns trigger language plpgsql as $$
begin
    update mtn_equipment e set "ProjectId" = new."ProjectId", "ParentId" = null, "UpdateTime" = now()
        from device d where d."Id" = e."DeviceId" and d."GatewayId" = new."Id" and e."ProjectId" <> new."ProjectId";
    update mtn_equipment e set "ParentId" = null from mtn_equipment p where p."Id" = e."ParentId" and p."ProjectId" <> e."ProjectId"
        and p."ProjectId" = new."ProjectId";
    return null;
end $$;
create trigger gateway_equipment after update of "ProjectId" on gateway for each row
    when (old."ProjectId" is distinct from new."ProjectId") execute function penstock_equipment_moved();

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m10613,m10613.add,m10613.edit,m10613.remove}'::text[]) code) where "RouteRole" = 'admin';
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m10613,m10613.add,m10613.edit,m10613.remove}'::text[]) code)
    where "RouteRole" = 'editor' and "RoleName" in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m10613}'::text[]) code)
    where "RouteRole" = 'editor' and 'm10607' = any("MenuCodes") and not 'm10613' = any("MenuCodes");
