-- Kind 0 a list, 1 readings of points. Ask: what was asked for, where a task begins anew after a restart. Progress: percent, where the
-- number of rows is not known before.
alter table import_export_task add "Kind" smallint not null default 0, add "RoleId" bigint, add "Language" text, add "Ask" jsonb,
    add "Progress" smallint;

update role set "MenuCodes" = "MenuCodes" || '{m10303.export}'::text[] where 'm10303' = any("MenuCodes");
