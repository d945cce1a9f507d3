-- Whose sight the reports of a schedule have. UserId shows him to the company; of the platform's people it is empty.
alter table report_schedule add column "OwnerId" bigint references "user" on delete set null;
update report_schedule set "OwnerId" = "UserId";
create index report_schedule_owner on report_schedule ("OwnerId");
