-- What pulses of pictures still have to write: their rest. A row is there before the first write and goes with the last one.
create table picture_pulse (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "UserId" bigint,
    "ParaId" bigint not null references point on delete cascade,
    "Rest" double precision not null,
    "MsgId" text not null,
    "Evidence" jsonb not null,
    "BeginTime" timestamptz not null,
    "DueTime" timestamptz not null,
    "NextTime" timestamptz not null
);
select penstock_tenant_table('picture_pulse');
create index picture_pulse_next on picture_pulse ("NextTime");
create index picture_pulse_point on picture_pulse ("ParaId");
