-- Visitors ask for an account of some days: 0 nobody may, 1 somebody grants each, 2 at once.
alter table enterprise add "TrialUsers" smallint not null default 0 check ("TrialUsers" in (0, 1, 2));

-- 0 waiting, 1 given, 2 refused; what stands there was given.
alter table trial_user
    add "Email" text,
    -- In which he is written to.
    add "Language" text not null default 'en',
    add "Status" smallint not null default 1 check ("Status" in (0, 1, 2)),
    alter "ExpireTime" drop not null;
-- How many came of late, from one address and in all.
create index trial_user_time on trial_user ("EnterpriseId", "CreateTime");
create index trial_user_phone on trial_user ("EnterpriseId", "Phone");

-- What the visitor chose, until there is an account to have it.
create table trial_password (
    "TrialId" bigint primary key references trial_user on delete cascade,
    "PasswordHash" text not null
);
select penstock_system_table('trial_password');

update role set "MenuCodes" = "MenuCodes" || '{m10455.grant}'::text[] where "RouteRole" = 'admin' and 'm10455' = any("MenuCodes");
