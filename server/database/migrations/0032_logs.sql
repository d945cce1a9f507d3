-- The log of what was done is the table of changes. A chain runs through each tenant's entries: Hash = sha256(the hash before,
-- the entry). It is made in the background, so that writing waits for nobody; until then both columns are empty.
alter table change add "Seq" bigint, add "Hash" bytea;
create index change_unchained on change ("Id") where "Hash" is null;
create unique index change_chain on change ("EnterpriseId", "Seq");
create index change_list on change ("EnterpriseId", "Id" desc);
create index change_time on change ("EnterpriseId", "Time");
create index change_user on change ("EnterpriseId", "UserId", "Id" desc);

-- Where the chain of a tenant ends, signed with a key that does not lie in the database.
create table change_head (
    "EnterpriseId" bigint primary key,
    "Seq" bigint not null,
    "Hash" bytea not null,
    "Time" timestamptz not null,
    "KeyId" text not null,
    "Signature" bytea not null
);
select penstock_tenant_table('change_head');

-- Places of the chain signed for good: one a day, and the last entry that retention removed.
create table change_checkpoint (
    "EnterpriseId" bigint not null,
    "Seq" bigint not null,
    "Hash" bytea not null,
    "Time" timestamptz not null,
    "KeyId" text not null,
    "Signature" bytea not null,
    -- Everything up to here is gone by retention.
    "Removed" smallint not null default 0,
    primary key ("EnterpriseId", "Seq")
);
select penstock_tenant_table('change_checkpoint');
revoke insert, update, delete on change_head, change_checkpoint from penstock_tenant;

-- The server may link entries, once, and remove those that a signature stands for; nobody may change what they say.
grant update ("Seq", "Hash") on change to penstock_platform;
create policy linked_once on change as restrictive for update to penstock_platform using ("Hash" is null) with check (true);
grant delete on change to penstock_platform;
create policy kept on change as restrictive for delete to penstock_platform using (
    "Seq" <= (select max(c."Seq") from change_checkpoint c where c."EnterpriseId" = change."EnterpriseId" and c."Removed" = 1));

create table trial_user (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "TrialName" text not null,
    "Phone" text not null,
    "UserId" bigint,
    "UserNO" text,
    "Ip" text,
    "ExpireTime" timestamptz not null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now()
);
create index trial_user_list on trial_user ("EnterpriseId", "Id" desc);
select penstock_tenant_table('trial_user');
