-- Tasks by the clock. Who moves NextTime on runs the task; the lease says who does, and until when he is believed to.
create table timer (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TimerName" text not null,
    "Method" text not null,
    "Keep" integer,
    "Cron" text not null,
    "MissPolicy" smallint not null default 0,
    "Status" smallint not null default 1,
    "NextTime" timestamptz,
    "LastTime" timestamptz,
    "LastResult" smallint,
    "LeaseBy" text,
    "LeaseUntil" timestamptz,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "timer_TimerName_key" unique ("EnterpriseId", "TimerName")
);
create index timer_due on timer ("NextTime") where "Status" = 1;
select penstock_tenant_table('timer');

create table timer_log (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TimerId" bigint not null,
    "StartTime" timestamptz not null,
    "DurationMs" integer,
    -- 0 running, 1 done, 2 failed, 3 missed
    "Result" smallint not null,
    "ByHand" smallint not null default 0,
    "Fires" integer not null default 1,
    "Wording" text not null,
    "WordValues" jsonb,
    "Process" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    foreign key ("EnterpriseId", "TimerId") references timer ("EnterpriseId", "Id") on delete cascade
);
create index timer_log_of on timer_log ("TimerId", "Id" desc);
create index timer_log_running on timer_log ("Id") where "Result" = 0;
select penstock_tenant_table('timer_log');
