-- Plans that follow a counter of a point, alone or beside a calendar.
do $$
declare t text;
begin
    foreach t in array array['mtn_up_keep', 'mtn_check'] loop
        execute format('alter table %I
            add "HourParaId" bigint,
            add "HourStep" double precision,
            add "HourDone" double precision,
            add "HourFrom" timestamptz,
            add "HourUsed" double precision,
            add "HourPerDay" double precision,
            add "HourNext" timestamptz,
            add "OpenEvents" integer not null default 0,
            add "RestartDate" text,
            -- Multiples of the step so far, and the last look at the counter.
            add "HourCount" integer not null default 0,
            add "HourTime" timestamptz,
            add constraint %I foreign key ("EnterpriseId", "HourParaId") references point ("EnterpriseId", "Id") on delete set null ("HourParaId")',
            t || '_plan', t || '_plan_HourParaId_fkey');
        execute format('create index %I on %I ("HourTime" nulls first, "Id") where "PlanStatus" = 1 and "HourFrom" is not null', t || '_plan_counter', t || '_plan');
        execute format('create index %I on %I ("HourParaId") where "HourParaId" is not null', t || '_plan_point', t || '_plan');
        execute format('alter table %I add "HourMultiple" integer', t || '_order');
        -- One order for a plan, a machine and a multiple of the step, ever.
        execute format('create unique index %I on %I ("PlanId", (coalesce("DeviceId", 0)), "HourMultiple") where "PlanId" is not null and "HourMultiple" is not null', t || '_order_multiple', t || '_order');
    end loop;
end $$;
