-- Whose messages are said first where many alarms are told at once: 1 first, 2 in turn, 3 last.
alter table alarm_rule add column "Priority" smallint not null default 2;
