-- Ports of this machine's firewall that were opened from the console.
create table firewall_port (
    "Port" integer primary key,
    "Status" smallint not null,
    "OpenTime" timestamptz,
    "CloseTime" timestamptz,
    "UserId" bigint
);
create index firewall_port_due on firewall_port ("CloseTime") where "Status" = 1;
select penstock_system_table('firewall_port');
