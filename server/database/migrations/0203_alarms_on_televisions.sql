-- A high alarm may take the screen of a display.
alter table television add column "ShowAlarms" smallint not null default 0;
