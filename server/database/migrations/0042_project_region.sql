-- The city or district a project lies in.
alter table project
    add "RegionId" bigint,
    add constraint "project_RegionId_fkey" foreign key ("EnterpriseId", "RegionId") references region ("EnterpriseId", "Id");
create index project_region on project ("EnterpriseId", "RegionId");
-- The dashboard counts by the day alarms began and by what became of them.
create index if not exists alarm_info_handled on alarm_info ("EnterpriseId", "HandleStatus");
