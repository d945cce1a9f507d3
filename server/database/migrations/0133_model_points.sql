-- Models have points, lie in folders, and are published in versions, which are applied to devices.
create table point_temp_menu (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "MenuName" text not null,
    "ParentId" bigint,
    "Sort" integer not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "point_temp_menu_MenuName_key" unique nulls not distinct ("EnterpriseId", "ParentId", "MenuName"),
    constraint "point_temp_menu_ParentId_fkey" foreign key ("EnterpriseId", "ParentId") references point_temp_menu ("EnterpriseId", "Id")
);
create index point_temp_menu_parent on point_temp_menu ("ParentId");
select penstock_tenant_table('point_temp_menu');

alter table pro_model
    add column "FolderId" bigint,
    add column "Parameters" text,
    add column "Version" integer not null default 0,
    add column "Edits" integer not null default 0,
    add constraint "pro_model_FolderId_fkey" foreign key ("EnterpriseId", "FolderId") references point_temp_menu ("EnterpriseId", "Id");
create index pro_model_folder on pro_model ("FolderId") where "FolderId" is not null;

-- Three columns are texts that calculate. The others are those of point.
create table model_para (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ModelId" bigint not null,
    "ParaName" text not null,
    "ParaKey" text,
    "StandardParaId" bigint,
    "Address" text not null,
    "SlaveNumber" text not null default '{unit}',
    "ReadWriteType" smallint not null default 0,
    "RegisterType" smallint not null default 4,
    "ParaDataType" smallint not null default 7,
    "SampleLow" double precision,
    "SampleHigh" double precision,
    "ProjectLow" double precision,
    "ProjectHigh" double precision,
    "AxisMin" double precision,
    "AxisMax" double precision,
    "ParaUnitName" text,
    "IsChartShow" smallint not null default 1,
    "IsReportShow" smallint not null default 1,
    "DecimalDigits" smallint not null default 2,
    "AlarmLow" double precision,
    "AlarmHigh" double precision,
    "UploadMode" smallint not null default 1,
    "CollectPeriod" integer not null default 1000,
    "IntervalTime" integer not null default 0,
    "Timeout" integer not null default 1000,
    "UploadPeriod" integer not null default 60,
    "CollectType" smallint not null default 0,
    "IsCache" smallint not null default 0,
    "IsStore" smallint not null default 0,
    "IsReport" smallint not null default 0,
    "Sort" integer not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "model_para_ParaName_key" unique ("ModelId", "ParaName"),
    constraint "model_para_ParaKey_key" unique ("ModelId", "ParaKey"),
    constraint "model_para_ModelId_fkey" foreign key ("EnterpriseId", "ModelId") references pro_model ("EnterpriseId", "Id") on delete cascade,
    -- Of the platform, or of the tenant: the kernel checks which.
    constraint "model_para_StandardParaId_fkey" foreign key ("StandardParaId") references standard_para ("Id")
);
create index model_para_standard on model_para ("StandardParaId") where "StandardParaId" is not null;
select penstock_tenant_table('model_para');

-- What was published, as it was.
create table model_version (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ModelId" bigint not null,
    "Version" integer not null,
    "Parameters" text,
    "Points" jsonb not null,
    "UserId" bigint,
    "CreateTime" timestamptz not null default now(),
    unique ("ModelId", "Version"),
    foreign key ("EnterpriseId", "ModelId") references pro_model ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('model_version');

alter table device add column "ModelValues" text, add column "ModelVersion" integer;
alter table point add column "ModelParaId" bigint, add column "Overrides" jsonb;

-- Whatever way a point of a model is changed, the model is ahead of what was published.
create function penstock_model_edited() returns trigger language plpgsql as $$
begin
    update pro_model set "Edits" = "Edits" + 1 where "Id" in (select "ModelId" from edited);
    return null;
end $$;
create trigger model_para_added after insert on model_para referencing new table as edited for each statement execute function penstock_model_edited();
create trigger model_para_changed after update on model_para referencing new table as edited for each statement execute function penstock_model_edited();
create trigger model_para_removed after delete on model_para referencing old table as edited for each statement execute function penstock_model_edited();
create function penstock_parameters_edited() returns trigger language plpgsql as $$
begin
    new."Edits" := new."Edits" + 1;
    return new;
end $$;
create trigger model_parameters before update on pro_model for each row
    when (old."Parameters" is distinct from new."Parameters") execute function penstock_parameters_edited();

-- Whatever way a column of a point is changed that its model gives, it is this device's own from now on; unless the model is being applied.
create function penstock_point_override() returns trigger language plpgsql as $$
declare
    name text;
    was jsonb := to_jsonb(old);
    is_now jsonb := to_jsonb(new);
    own jsonb := coalesce(old."Overrides", '[]');
begin
    foreach name in array '{ParaName,ReadWriteType,RegisterType,ParaDataType,Address,SlaveNumber,SampleLow,SampleHigh,ProjectLow,ProjectHigh,AxisMin,AxisMax,ParaUnitName,IsChartShow,IsReportShow,DecimalDigits,AlarmLow,AlarmHigh,UploadMode,CollectPeriod,IntervalTime,Timeout,UploadPeriod,CollectType,IsCache,IsStore,IsReport}'::text[] loop
        if was -> name is distinct from is_now -> name and not own ? name then own := own || to_jsonb(name); end if;
    end loop;
    new."Overrides" := nullif(own, '[]');
    return new;
end $$;
create trigger point_override before update on point for each row
    when (old."ModelParaId" is not null and new."ModelParaId" = old."ModelParaId" and coalesce(current_setting('penstock.applying', true), '') = '')
    execute function penstock_point_override();

-- A device of another model has points of its own until that one is applied.
create function penstock_model_left() returns trigger language plpgsql as $$
begin
    update point set "ModelParaId" = null, "Overrides" = null where "DeviceId" = new."Id" and "ModelParaId" is not null;
    update device set "ModelVersion" = null where "Id" = new."Id" and "ModelVersion" is not null and "ModelVersion" is not distinct from old."ModelVersion";
    return null;
end $$;
create trigger device_model_left after update of "ModelId" on device for each row
    when (old."ModelId" is distinct from new."ModelId") execute function penstock_model_left();

update role set "MenuCodes" = "MenuCodes" || '{m10110.publish,m10110.apply,m10111,m10111.add,m10111.edit,m10111.remove,m10112,m10112.add,m10112.edit,m10112.remove,m10113}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10111,m10113}'::text[] where "RouteRole" = 'editor' and 'm10110' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10110.publish,m10110.apply,m10111.add,m10111.edit,m10111.remove}'::text[] where "RouteRole" = 'editor' and 'm10110.add' = any("MenuCodes");
