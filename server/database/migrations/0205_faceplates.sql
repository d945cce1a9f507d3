-- Faceplates, and pictures of a model or of a device. What a version may write through pictures inside it, and through faceplates.
alter table flowchart add column "Purpose" smallint not null default 0;
alter table flowchart add column "ModelId" bigint;
alter table flowchart add column "DeviceId" bigint;
alter table flowchart add constraint "flowchart_ModelId_fkey" foreign key ("EnterpriseId", "ModelId") references pro_model ("EnterpriseId", "Id");
alter table flowchart add constraint "flowchart_DeviceId_fkey" foreign key ("EnterpriseId", "DeviceId") references device ("EnterpriseId", "Id")
    on delete set null ("DeviceId");
create index on flowchart ("ModelId") where "ModelId" is not null;
create index on flowchart ("DeviceId") where "DeviceId" is not null;

alter table flowchart_version add column "Targets" bigint[] not null default '{}';
