-- Pairs of characters of a text, in any language: a part of a word is found by its pairs, also where words have no spaces between them.
create function penstock_grams(given text) returns text[] language sql immutable parallel safe as $$
    select coalesce(array_agg(distinct substr(w, i, 2)), '{}')
    from regexp_split_to_table(lower(regexp_replace(given, '<[^>]*>|&[a-z#0-9]+;', ' ', 'g')), '[[:space:][:punct:]、。，．・：；！？「」『』（）《》“”‘’…—～]+') w,
        generate_series(1, greatest(length(w) - 1, 1)) i
    where w <> '' and length(substr(w, i, 2)) = 2
$$;
create table mtn_knowledge_base (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Title" text not null,
    "Status" smallint not null default 0,
    "Category" text,
    "FaultCodeId" bigint,
    "DeviceModelId" bigint,
    "DeviceId" bigint,
    "Keywords" text,
    "Phenomenon" text,
    "Reason" text,
    "Solution" text,
    "Files" jsonb,
    "Version" integer not null default 0,
    "PublishTime" timestamptz,
    "Helped" integer not null default 0,
    "NotHelped" integer not null default 0,
    "Words" text generated always as (lower("Title" || ' ' || coalesce("Keywords", '') || ' ' || coalesce("Category", '') || ' ' || coalesce("Phenomenon", '') || ' ' || coalesce("Reason", '') || ' ' || coalesce("Solution", ''))) stored,
    "Grams" text[] not null generated always as (penstock_grams("Title" || ' ' || coalesce("Keywords", '') || ' ' || coalesce("Category", '') || ' ' || coalesce("Phenomenon", '') || ' ' || coalesce("Reason", '') || ' ' || coalesce("Solution", ''))) stored,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "mtn_knowledge_base_FaultCodeId_fkey" foreign key ("EnterpriseId", "FaultCodeId") references alarm_code ("EnterpriseId", "Id"),
    constraint "mtn_knowledge_base_DeviceModelId_fkey" foreign key ("EnterpriseId", "DeviceModelId") references pro_model ("EnterpriseId", "Id"),
    constraint "mtn_knowledge_base_DeviceId_fkey" foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id") on delete set null ("DeviceId")
);
create index on mtn_knowledge_base using gin ("Grams");
create index on mtn_knowledge_base ("EnterpriseId", "UpdateTime");
create index on mtn_knowledge_base ("FaultCodeId");
create index on mtn_knowledge_base ("DeviceModelId");
create index on mtn_knowledge_base ("DeviceId");
select penstock_tenant_table('mtn_knowledge_base');

create table mtn_knowledge_version (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ArticleId" bigint not null,
    "Version" integer not null,
    "Title" text not null,
    "Phenomenon" text,
    "Reason" text,
    "Solution" text,
    "UserId" bigint references "user" on delete set null,
    "CreateTime" timestamptz not null default now(),
    unique ("ArticleId", "Version"),
    foreign key ("EnterpriseId", "ArticleId") references mtn_knowledge_base ("EnterpriseId", "Id") on delete cascade
);
create index on mtn_knowledge_version ("UserId");
select penstock_tenant_table('mtn_knowledge_version');

create table mtn_knowledge_vote (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ArticleId" bigint not null,
    "UserId" bigint not null references "user" on delete cascade,
    "Helped" smallint not null,
    unique ("ArticleId", "UserId"),
    foreign key ("EnterpriseId", "ArticleId") references mtn_knowledge_base ("EnterpriseId", "Id") on delete cascade
);
create index on mtn_knowledge_vote ("UserId");
select penstock_tenant_table('mtn_knowledge_vote');

-- A plan may be an article.
alter table alarm_plan add column "ArticleId" bigint,
    add constraint "alarm_plan_ArticleId_fkey" foreign key ("EnterpriseId", "ArticleId") references mtn_knowledge_base ("EnterpriseId", "Id");
create index on alarm_plan ("ArticleId");

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m10610,m10610.add,m10610.edit,m10610.remove,m10610.publish,m10610.vote}'::text[]) code) where "RouteRole" = 'admin';
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m10610,m10610.add,m10610.edit,m10610.remove,m10610.vote}'::text[]) code)
    where "RouteRole" = 'editor' and "RoleName" in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m10610}'::text[]) code)
    where "RouteRole" = 'editor' and 'm10607' = any("MenuCodes") and not 'm10610' = any("MenuCodes");
