-- Files that people have sent. What they hold lies in the data folder or an S3 bucket under the same key; nothing is served
-- that has no row here.
create table stored_file (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "UserId" bigint,
    -- <tenant>/<32 hex digits>.<kind>
    "Key" text not null unique,
    "FileName" text not null,
    "Purpose" text not null,
    -- Only holders of this permission may read it.
    "MenuEncoding" text,
    "ContentType" text not null,
    "Size" bigint not null,
    "Sha256" text not null,
    "Width" integer,
    "Height" integer,
    "CreateTime" timestamptz not null default now()
);
create index stored_file_tenant on stored_file ("EnterpriseId") include ("Size");
select penstock_tenant_table('stored_file');

-- Room for files, MB; null: the installation's standard.
alter table enterprise add "MaxFileMb" integer;
