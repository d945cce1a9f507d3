-- What the person saw who exported: whoever sees less by now does not get the file.
alter table import_export_task add "Scope" jsonb;
