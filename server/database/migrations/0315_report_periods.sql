-- A schedule chooses the period of its reports; those that exist keep that of their template, or the shift that has ended. A report
-- remembers the unit of its period, which its comparison and its name go by.
alter table report_schedule add "Period" text not null default 'template';
update report_schedule set "Period" = 'shift' where "Trigger" = 'shift';
alter table report_run add "Period" text;
