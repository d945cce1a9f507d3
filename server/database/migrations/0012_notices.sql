create table notice (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "PushTitle" text not null,
    "PushContent" text,
    "BizType" smallint not null default 7,
    -- Whom it addresses: everybody where all three are empty, else the union.
    "OrganIds" jsonb not null default '[]',
    "RoleIds" jsonb not null default '[]',
    "UserIds" jsonb not null default '[]',
    -- Who may see it beside that: people granted the project, holders of the permission.
    "ProjectId" bigint,
    "Permission" text,
    "PublishTime" timestamptz,
    "ExpireTime" timestamptz,
    "AlmRuleId" bigint,
    "ObjectType" text,
    "ObjectId" bigint,
    -- Notices of the server: words of the contract, so that each reader has his language, and what happened, so that it is told once.
    "Wording" text,
    "WordValues" jsonb,
    "Source" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "notice_Source" unique ("EnterpriseId", "Source")
);
create index notice_list on notice ("EnterpriseId", "BizType", "CreateTime" desc, "Id" desc);
create index notice_time on notice ("CreateTime" desc, "Id" desc);
select penstock_tenant_table('notice');

-- What a person has done with a notice; a platform administrator's rows are his own tenant's.
create table notice_user (
    "EnterpriseId" bigint not null references enterprise,
    "UserId" bigint not null,
    "NoticeId" bigint not null references notice on delete cascade,
    "ReadTime" timestamptz,
    "IsFirstPage" smallint not null default 0,
    primary key ("UserId", "NoticeId"),
    foreign key ("EnterpriseId", "UserId") references "user" ("EnterpriseId", "Id") on delete cascade
);
create index notice_user_notice on notice_user ("NoticeId");
create index notice_user_pinned on notice_user ("UserId") where "IsFirstPage" = 1;
select penstock_tenant_table('notice_user');

-- Up to which alarm notices have been made (one row); saved with them. Alarms of before are no news.
create table notice_cursor (
    "Id" smallint primary key default 1 check ("Id" = 1),
    "AlarmId" bigint not null
);
select penstock_system_table('notice_cursor');
insert into notice_cursor ("AlarmId") select coalesce(max("Id"), 0) from alarm_info;

-- Managers hold every permission of a tenant. NoticeList itself is open to everybody.
update role set "MenuCodes" = "MenuCodes" || '{m10421,m10422,m10422.add,m10422.edit,m10422.remove}'::text[] where "RouteRole" = 'admin';
