-- Lists on their way into files; the files lie in the data folder and go after a day. No change entries: nothing of the plant changes.
create table import_export_task (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "UserId" bigint not null,
    "Resource" text not null,
    "Format" text not null,
    "Status" smallint not null default 0,
    "FileName" text not null,
    "DoneRows" integer not null default 0,
    "TotalRows" integer,
    "FileBytes" bigint,
    -- Key of a fault and what fills it: each reads it in his language.
    "Fault" text,
    "FaultValues" jsonb,
    "CreateTime" timestamptz not null default now(),
    "ExpireTime" timestamptz not null,
    foreign key ("EnterpriseId", "UserId") references "user" ("EnterpriseId", "Id") on delete cascade
);
create index import_export_task_user on import_export_task ("UserId", "Id" desc);
create index import_export_task_expire on import_export_task ("ExpireTime");
select penstock_tenant_table('import_export_task');
