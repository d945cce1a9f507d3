-- Readings of phones: a person's are counted by day, old ones are removed.
create index pro_rfid_history_uploads on pro_rfid_history ("UserId", "UploadTime") where "ReaderType" = 2;
create index pro_rfid_history_phones on pro_rfid_history ("ReadTime") where "ReaderType" = 2;
-- Labor of a person, to find what overlaps.
create index mtn_order_labor_person on mtn_order_labor ("UserId", "StartTime");
