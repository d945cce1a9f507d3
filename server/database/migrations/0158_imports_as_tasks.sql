-- Imports of a company, whose sheets are few.
create index project_task_imports on project_task ("EnterpriseId", "Status", "Id") where "Kind" in (6, 7);
create index project_task_row_given on project_task_row ("TaskId") where "Given" is not null;
