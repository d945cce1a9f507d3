-- Attachments that no record has taken go after a day. Those of before may be named where no column says so: they stay.
alter table stored_file add "Kept" smallint not null default 0;
update stored_file set "Kept" = 1 where "RecordId" is null;
create index stored_file_loose on stored_file ("EnterpriseId", "UserId") where "RecordId" is null;
