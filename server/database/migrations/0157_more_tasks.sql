-- What a task and each of its rows were given, beside gateways and devices: serial numbers, names, lines of a sheet.
alter table project_task add column "Given" jsonb;
alter table project_task_row add column "Given" jsonb;
