-- A report that could not be made for a passing reason is tried again by itself.
alter table report_run add "Tries" integer not null default 0, add "RetryTime" timestamptz;
