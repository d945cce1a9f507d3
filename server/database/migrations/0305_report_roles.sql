-- Reports go to the people of roles, too.
alter table report_schedule add column "ReceiverRoles" jsonb not null default '[]';
