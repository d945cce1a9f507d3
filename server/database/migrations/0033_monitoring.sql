-- How much of the machine is used: a row a minute, a week long.
create table machine_use (
    "Time" timestamptz primary key,
    "Cpu" real,
    "Memory" real,
    "Disk" real,
    "Receive" double precision,
    "Send" double precision,
    "Rss" double precision,
    "LoopMs" real
);
select penstock_system_table('machine_use');

-- From when on somebody is told; one row.
create table machine_limit (
    "Id" smallint primary key default 1 check ("Id" = 1),
    "Cpu" integer not null default 90,
    "Memory" integer not null default 90,
    "Disk" integer not null default 85,
    "Minutes" integer not null default 5
);
select penstock_system_table('machine_limit');
insert into machine_limit default values;
