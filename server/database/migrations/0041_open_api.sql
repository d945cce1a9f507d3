create table api_credential (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ApiName" text not null,
    "AccessKey" text unique,
    "UserId" bigint,
    "RatePerMinute" integer not null default 60,
    "IpAllow" text,
    "ValidTo" timestamptz,
    "Status" smallint not null default 1,
    "Permissions" jsonb not null default '[]',
    "LastUsedTime" timestamptz,
    "Calls" bigint not null default 0,
    "Refused" bigint not null default 0,
    "Remark" text,
    -- Of the secret, 256 random bits: a fast hash is enough. The key that signs is sealed beside it in sealed_secret.
    "SecretHash" bytea,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    constraint "api_credential_ApiName_key" unique ("EnterpriseId", "ApiName"),
    foreign key ("EnterpriseId", "UserId") references "user" ("EnterpriseId", "Id") on delete cascade
);
create index api_credential_user on api_credential ("EnterpriseId", "UserId");
select penstock_tenant_table('api_credential');

-- Numbers that signed calls have used up; a repeated one is a replay.
create table api_nonce (
    "AccessKey" text not null,
    "Nonce" text not null,
    "Time" timestamptz not null,
    primary key ("AccessKey", "Nonce")
);
create index api_nonce_time on api_nonce ("Time");
select penstock_system_table('api_nonce');
