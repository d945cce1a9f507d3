-- Lists of a million alarms: what people filter by has the list's own order, and where nearly all alarms are alike the index holds the
-- others only, which costs a new alarm nothing. Behind row-level security only operators that leak nothing reach an index: = does,
-- like does not.
drop index alarm_info_list;
drop index alarm_info_active;
create index alarm_info_active on alarm_info ("EnterpriseId", "StartTime" desc, "Id" desc) where "IsActive" = 1;
drop index alarm_info_device;
create index alarm_info_device on alarm_info ("DeviceId", "StartTime" desc, "Id" desc) include ("EnterpriseId");
create index alarm_info_gateway on alarm_info ("GatewayId", "StartTime" desc, "Id" desc) include ("EnterpriseId");
drop index alarm_info_code;
create index alarm_info_coded on alarm_info ("EnterpriseId", "HasCode", "StartTime" desc, "Id" desc);
create index alarm_info_code on alarm_info ("EnterpriseId", "FaultCodeId", "StartTime" desc, "Id" desc) where "FaultCodeId" is not null;
drop index alarm_info_type;
create index alarm_info_type on alarm_info ("EnterpriseId", "AlarmType", "StartTime" desc, "Id" desc) where "AlarmType" <> 1;
create index alarm_info_false on alarm_info ("EnterpriseId", "StartTime" desc, "Id" desc) where "IsFalse" = 1;
create index alarm_info_assignee on alarm_info ("AssigneeId", "StartTime" desc, "Id" desc) where "AssigneeId" is not null;
create index alarm_info_name on alarm_info ("EnterpriseId", "RuleName", "StartTime" desc, "Id" desc);

-- What alarms of a tenant were ever called: a search in a part of a name looks through these, and then takes the alarms by their names.
create table alarm_name (
    "EnterpriseId" bigint not null,
    "Name" text not null,
    -- Of a gateway's alarm, whose name is answered in the reader's language; else 0.
    "GatewayFault" smallint not null default 0,
    primary key ("EnterpriseId", "Name", "GatewayFault")
);
select penstock_tenant_table('alarm_name');
revoke insert, update, delete on alarm_name from penstock_tenant;
insert into alarm_name select distinct "EnterpriseId", "RuleName", coalesce("GatewayFault", 0) from alarm_info;

create function alarm_info_named() returns trigger language plpgsql as $$
begin
    insert into alarm_name
    select distinct m."EnterpriseId", m."RuleName", coalesce(m."GatewayFault", 0) as fault from made m
    where not exists (
        select 1 from alarm_name n
        where n."EnterpriseId" = m."EnterpriseId" and n."Name" = m."RuleName" and n."GatewayFault" = coalesce(m."GatewayFault", 0))
    order by 1, 2, 3
    on conflict do nothing;
    return null;
end $$;
create trigger alarm_info_named after insert on alarm_info referencing new table as made for each statement execute function alarm_info_named();
