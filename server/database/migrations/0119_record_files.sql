-- The record that a file belongs to: whoever sees the record reads it, and it goes with the record.
alter table stored_file add "Resource" text, add "RecordId" bigint;
create index stored_file_record on stored_file ("Resource", "RecordId") where "RecordId" is not null;
-- A drawing or a manual beside what a plan says.
alter table alarm_plan add "Files" jsonb;
