-- A report may be released to a person by name, beside roles and organisations.
alter table report_run add "ReleasedUsers" jsonb not null default '[]';
