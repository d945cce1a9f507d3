-- Attempts are counted by account and by where they come from (server/identity/attempts.ts).
delete from login_attempt;
alter table login_attempt drop constraint login_attempt_pkey;
alter table login_attempt add column "Source" text not null;
alter table login_attempt add primary key ("Account", "Source");
create index login_attempt_time on login_attempt ("LastTime");

-- Browsers that signed in before: each has a random mark, of which the server stores the hash.
create table known_browser (
    "UserId" bigint not null references "user" on delete cascade,
    "Hash" bytea not null,
    "LastTime" timestamptz not null,
    primary key ("UserId", "Hash")
);
create index known_browser_hash on known_browser ("Hash");
select penstock_system_table('known_browser');

-- One-time passwords end; the first start's does not.
alter table "user" add column "OneTimeUntil" timestamptz;
update "user" set "OneTimeUntil" = now() + interval '7 days' where "MustChangePwd" = 1 and "Id" <> (select min("Id") from "user");
