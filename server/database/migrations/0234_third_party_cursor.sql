-- Systems of others get each reading once it is stored, over HTTP, MQTT or HJ 212, from a place that survives a restart.
alter table third_party_access
    add column "Target" smallint not null default 1,
    add column "Mode" smallint not null default 1,
    add column "UserName" text,
    add column "Topic" text,
    add column "MN" text,
    add column "SystemCode" text,
    add column "ModelId" bigint,
    add column "StandardParaId" bigint,
    add column "NameRule" text,
    add column "FaultStatus" integer,
    add column "Sent" bigint not null default 0,
    add column "Waiting" bigint not null default 0,
    add column "WaitingSince" timestamptz,
    add column "Lost" bigint not null default 0,
    -- Arrival number of the last reading that was taken, and the time up to which retention's losses are counted, epoch ms.
    add column "Cursor" bigint,
    add column "LostBefore" bigint not null default 0,
    add constraint "third_party_access_ModelId_fkey" foreign key ("EnterpriseId", "ModelId") references pro_model ("EnterpriseId", "Id"),
    add constraint "third_party_access_StandardParaId_fkey" foreign key ("StandardParaId") references standard_para ("Id");
create index on third_party_access ("ModelId") where "ModelId" is not null;
create index on third_party_access ("StandardParaId") where "StandardParaId" is not null;
-- What was said in English becomes a code with the next attempt.
update third_party_access set "LastFault" = null;

-- The points that are chosen one by one; all where there are none.
create table third_party_access_point (
    "EnterpriseId" bigint not null references enterprise,
    "ThirdPartyAccessId" bigint not null,
    "PointId" bigint not null,
    primary key ("ThirdPartyAccessId", "PointId"),
    foreign key ("EnterpriseId", "ThirdPartyAccessId") references third_party_access ("EnterpriseId", "Id") on delete cascade,
    foreign key ("EnterpriseId", "PointId") references point ("EnterpriseId", "Id") on delete cascade
);
create index on third_party_access_point ("PointId");
select penstock_tenant_table('third_party_access_point');
