-- A fault code may be one of a model's.
alter table alarm_code
    add column "ModelId" bigint,
    add constraint "alarm_code_ModelId_fkey" foreign key ("EnterpriseId", "ModelId") references pro_model ("EnterpriseId", "Id");
create index alarm_code_model on alarm_code ("ModelId", "Id") where "ModelId" is not null;
