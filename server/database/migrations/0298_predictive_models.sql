-- Models that are trained on what circuits and points measured. Their points have no foreign key: whoever asks must see them all.
create table predictive_model (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Name" text not null,
    "Type" smallint not null check ("Type" between 1 and 4),
    "EnergyInfoId" bigint,
    "PointIds" bigint[] not null default '{}',
    "Params" jsonb not null default '{}',
    "Start" timestamptz not null,
    "End" timestamptz not null,
    -- What was learnt; null until then.
    "Learnt" jsonb,
    "Metrics" jsonb,
    "TrainTime" timestamptz,
    "IsPublished" smallint not null default 0,
    "TaskId" bigint references project_task on delete set null,
    "UserId" bigint references "user" on delete set null,
    "CreateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    foreign key ("EnterpriseId", "EnergyInfoId") references energy_info ("EnterpriseId", "Id") on delete cascade
);
create index predictive_model_newest on predictive_model ("EnterpriseId", "Type", "Id" desc);
create index on predictive_model ("EnergyInfoId");
create index on predictive_model ("TaskId");
create index on predictive_model ("UserId");
create unique index predictive_model_published on predictive_model ("EnterpriseId", "Type", "EnergyInfoId", "PointIds") nulls not distinct
    where "IsPublished" = 1 and "Type" in (1, 4);
select penstock_tenant_table('predictive_model');

update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m107,m10716,m10716.train,m10716.publish,m10716.remove,m10717,m10718}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
-- Whoever looks at questions to data looks at models, too.
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m107,m10716,m10717,m10718}'::text[]) code)
    where "RouteRole" is distinct from 'admin' and 'm10715' = any("MenuCodes") and not 'm10716' = any("MenuCodes")
    and "RoleName" not in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
