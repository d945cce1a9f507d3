-- Cards and tags, by their number as hex digits: ten decimal digits are what is printed on an EM4100 card.
create function penstock_card_no(given text) returns text language sql immutable as $$
    select case when t ~ '^[0-9]{10}$' and t::bigint <= 4294967295 then lpad(upper(to_hex(t::bigint)), 8, '0') else t end
    from (select upper(regexp_replace(given, '[\s:.-]', '', 'g')) as t) n
$$;
create table pro_rfid_info (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "CardName" text not null,
    "CardNo" text not null,
    "CardType" smallint not null default 1,
    "Status" smallint not null default 1 check ("Status" between 0 and 3),
    "ProjectId" bigint,
    "DeviceId" bigint,
    "PositionName" text,
    "Longitude" double precision,
    "Latitude" double precision,
    "GatewayId" bigint,
    "UserId" bigint references "user" on delete set null,
    "Sort" integer,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "pro_rfid_info_CardNo_key" unique ("EnterpriseId", "CardNo"),
    constraint "pro_rfid_info_ProjectId_fkey" foreign key ("EnterpriseId", "ProjectId") references project ("EnterpriseId", "Id"),
    constraint "pro_rfid_info_DeviceId_fkey" foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id") on delete set null ("DeviceId"),
    constraint "pro_rfid_info_GatewayId_fkey" foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id") on delete set null ("GatewayId")
);
create index on pro_rfid_info ("ProjectId");
create index on pro_rfid_info ("DeviceId");
create index on pro_rfid_info ("GatewayId");
create index on pro_rfid_info ("UserId");
select penstock_tenant_table('pro_rfid_info');
create function penstock_normal_card() returns trigger language plpgsql as $$
begin
    new."CardNo" = penstock_card_no(new."CardNo");
    return new;
end $$;
create trigger pro_rfid_info_normal before insert or update of "CardNo" on pro_rfid_info for each row execute function penstock_normal_card();

create table pro_rfid_history (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "CardNo" text not null,
    "RfidId" bigint,
    "ReadTime" timestamptz not null,
    "UploadTime" timestamptz not null default now(),
    "Result" smallint not null,
    "ReaderType" smallint not null,
    "GatewayId" bigint,
    "Reader" text not null default '',
    "UserId" bigint references "user" on delete set null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "pro_rfid_history_RfidId_fkey" foreign key ("EnterpriseId", "RfidId") references pro_rfid_info ("EnterpriseId", "Id") on delete set null ("RfidId"),
    constraint "pro_rfid_history_GatewayId_fkey" foreign key ("EnterpriseId", "GatewayId") references gateway ("EnterpriseId", "Id") on delete cascade
);
create unique index pro_rfid_history_once on pro_rfid_history ("GatewayId", "Reader", "CardNo", "ReadTime");
create index on pro_rfid_history ("EnterpriseId", "ReadTime");
create index on pro_rfid_history ("RfidId", "ReadTime");
create index on pro_rfid_history ("UserId", "ReadTime");
create index on pro_rfid_history ("GatewayId", "Id");
select penstock_tenant_table('pro_rfid_history');

create table mtn_punch_record (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "UserId" bigint not null references "user" on delete cascade,
    "Day" text not null,
    "PunchType" smallint not null,
    "PunchTime" timestamptz not null,
    "Way" smallint not null,
    "RfidId" bigint,
    "Status" smallint not null default 0,
    "ApproverId" bigint references "user" on delete set null,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    unique ("UserId", "Day", "PunchType"),
    constraint "mtn_punch_record_RfidId_fkey" foreign key ("EnterpriseId", "RfidId") references pro_rfid_info ("EnterpriseId", "Id") on delete set null ("RfidId")
);
create index on mtn_punch_record ("EnterpriseId", "PunchTime");
create index on mtn_punch_record ("RfidId");
create index on mtn_punch_record ("ApproverId");
select penstock_tenant_table('mtn_punch_record');

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m10611,m10611.correct,m10612,m10612.add,m10612.edit,m10612.remove,m10612.card}'::text[]) code) where "RouteRole" = 'admin';
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m10611,m10612,m10612.add,m10612.edit,m10612.remove,m10612.card}'::text[]) code)
    where "RouteRole" = 'editor' and "RoleName" in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m10611,m10612}'::text[]) code)
    where "RouteRole" = 'editor' and 'm10607' = any("MenuCodes") and not 'm10611' = any("MenuCodes");
