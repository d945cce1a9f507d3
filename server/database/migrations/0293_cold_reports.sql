-- What a check of a room must show, with who said so and when. Never changed: new ones are saved beside them.
create table cold_criteria (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ColdStorageId" bigint not null,
    "CriteriaName" text not null,
    "TempLow" numeric(6, 2),
    "TempHigh" numeric(6, 2),
    "MaxUniformity" numeric(6, 2),
    "MaxFluctuation" numeric(6, 2),
    "MinPoints" integer not null default 9,
    "IntervalMin" numeric(6, 2) not null default 5,
    "MinHours" numeric(6, 2) not null default 48,
    "RecoverMaxMin" numeric(7, 2),
    "PowerCutMinMin" numeric(7, 2),
    "DeltaH" numeric(8, 3) not null default 83.144,
    "SetUserId" bigint,
    "SetTime" timestamptz not null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "cold_criteria_ColdStorageId_fkey" foreign key ("EnterpriseId", "ColdStorageId") references cold_storage ("EnterpriseId", "Id") on delete cascade,
    constraint "cold_criteria_SetUserId_fkey" foreign key ("SetUserId") references "user" ("Id") on delete set null
);
create index on cold_criteria ("ColdStorageId", "SetTime" desc);
create index on cold_criteria ("EnterpriseId", "SetTime" desc, "Id" desc);
create index on cold_criteria ("SetUserId");
select penstock_tenant_table('cold_criteria');

-- Reports of cold rooms. A room with reports cannot be removed.
create table cold_report (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ReportNo" text not null,
    "ColdStorageId" bigint not null,
    "ReportType" smallint not null check ("ReportType" between 1 and 3),
    "Period" smallint check ("Period" between 1 and 3),
    "CheckKind" smallint check ("CheckKind" between 1 and 4),
    "LoadState" smallint check ("LoadState" in (0, 1)),
    "Season" smallint check ("Season" between 1 and 3),
    "StartTime" timestamptz not null,
    "EndTime" timestamptz not null,
    "Language" text not null,
    "Purpose" text,
    "CriteriaId" bigint,
    "Marks" jsonb not null default '[]',
    "IsCompose" smallint not null default 0,
    "Result" smallint not null default 0 check ("Result" between 0 and 3),
    "State" smallint not null default 0 check ("State" between 0 and 3),
    -- Of the computing: how often it failed, and when the next try is due.
    "Tries" smallint not null default 0,
    "NextTime" timestamptz not null default 'epoch',
    "IsFailed" smallint not null default 0,
    "RecordPath" text,
    "RecordSha256" text,
    "FileUrl" text,
    "FileSha256" text,
    "UserId" bigint,
    "CheckUserId" bigint,
    "CheckTime" timestamptz,
    "ApproveUserId" bigint,
    "ApproveTime" timestamptz,
    "WithdrawUserId" bigint,
    "WithdrawTime" timestamptz,
    "WithdrawReason" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "cold_report_ReportNo_key" unique ("EnterpriseId", "ReportNo"),
    constraint "cold_report_ColdStorageId_fkey" foreign key ("EnterpriseId", "ColdStorageId") references cold_storage ("EnterpriseId", "Id"),
    constraint "cold_report_CriteriaId_fkey" foreign key ("EnterpriseId", "CriteriaId") references cold_criteria ("EnterpriseId", "Id"),
    constraint "cold_report_UserId_fkey" foreign key ("UserId") references "user" ("Id") on delete set null ("UserId"),
    constraint "cold_report_CheckUserId_fkey" foreign key ("CheckUserId") references "user" ("Id") on delete set null ("CheckUserId"),
    constraint "cold_report_ApproveUserId_fkey" foreign key ("ApproveUserId") references "user" ("Id") on delete set null ("ApproveUserId"),
    constraint "cold_report_WithdrawUserId_fkey" foreign key ("WithdrawUserId") references "user" ("Id") on delete set null ("WithdrawUserId"),
    check ("State" = 0 or "RecordSha256" is not null),
    check ("State" < 2 or "FileSha256" is not null),
    check ("State" <> 3 or "WithdrawReason" is not null)
);
create index on cold_report ("ColdStorageId", "EndTime" desc);
create index on cold_report ("EnterpriseId", "EndTime" desc, "Id" desc);
create index on cold_report ("CriteriaId");
create index on cold_report ("UserId");
create index on cold_report ("CheckUserId");
create index on cold_report ("ApproveUserId");
create index on cold_report ("WithdrawUserId");
create index cold_report_due on cold_report ("NextTime") where "Result" = 0;
select penstock_tenant_table('cold_report');

-- Numbers of reports by company and year.
create table cold_report_number (
    "EnterpriseId" bigint not null references enterprise,
    "Year" integer not null,
    "Last" integer not null,
    primary key ("EnterpriseId", "Year")
);
select penstock_tenant_table('cold_report_number');

-- An approved report stays as it is: it can be withdrawn with a reason, and nothing else. The people in it may leave.
create function penstock_cold_report_fixed() returns trigger language plpgsql as $$
declare
    free text[] = '{State,WithdrawUserId,WithdrawTime,WithdrawReason,UpdateTime}';
begin
    if tg_op = 'DELETE' then
        raise exception 'an approved report stays';
    end if;
    if new."UserId" is null then free := free || 'UserId'::text; end if;
    if new."CheckUserId" is null then free := free || 'CheckUserId'::text; end if;
    if new."ApproveUserId" is null then free := free || 'ApproveUserId'::text; end if;
    if to_jsonb(old) - free <> to_jsonb(new) - free or new."State" < old."State"
        or old."State" = 3 and (old."WithdrawTime", old."WithdrawReason") is distinct from (new."WithdrawTime", new."WithdrawReason") then
        raise exception 'an approved report stays as it is';
    end if;
    return new;
end $$;
create trigger cold_report_fixed before update or delete on cold_report for each row when (old."State" >= 2) execute function penstock_cold_report_fixed();

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m10734,m10734.add,m10734.remove,m10734.check,m10735}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m10734.approve,m10734.edit}'::text[]) code)
    where "RouteRole" = 'admin';
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m10734,m10735}'::text[]) code)
    where 'm10731' = any("MenuCodes") and not 'm10734' = any("MenuCodes");
