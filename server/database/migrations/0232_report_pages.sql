-- Pages of a template may lie on their long side; a report may go to one person alone, as a test.
alter table report_template add "Landscape" smallint not null default 0;
alter table report_run add "SendTo" bigint references "user" on delete set null;
create index report_run_send_to on report_run ("SendTo") where "SendTo" is not null;
