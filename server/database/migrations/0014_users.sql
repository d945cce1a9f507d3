-- What a person's account carries beside name and password, and what administrators of the tenant may set of it.
alter table "user"
    add "Phone" text,
    add "Email" text,
    add "Remark" text,
    add "LastLoginTime" timestamptz,
    add "LastLoginIp" text,
    -- No password fits it: an account is made and gets its hash in one transaction.
    alter "PasswordHash" set default '!';

grant select ("Phone", "Email", "Remark", "LastLoginTime", "LastLoginIp") on "user" to penstock_tenant;
grant update ("UserName", "Phone", "Email", "BelongOrganId", "TimeZoneKey", "Language", "Status", "IsLock", "Remark", "UpdateTime") on "user" to penstock_tenant;

alter table role
    add "Sort" integer not null default 0,
    add "Status" smallint not null default 1,
    add "Remark" text;

-- A role that somebody holds cannot be removed.
alter table user_role drop constraint "user_role_EnterpriseId_RoleId_fkey",
    add constraint "user_role_RoleId_fkey" foreign key ("EnterpriseId", "RoleId") references role ("EnterpriseId", "Id");
create index user_role_role on user_role ("RoleId");
create index user_enterprise on "user" ("EnterpriseId", "Id");

-- How many accounts a tenant may have; null: as many as it likes.
alter table enterprise add "MaxUsers" integer;
