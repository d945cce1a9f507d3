-- Steps of phones that had no signal: when they arrived, how far the phone's clock was off (s), and what a comment was meant to be.
alter table mtn_order_history add "ReceivedTime" timestamptz, add "ClockOff" integer, add "Meant" text;
-- The same key of the same person is the same upload, and the same reading of a tag.
alter table stored_file add "ClientKey" text, add "ClientHash" text;
create unique index stored_file_key on stored_file ("UserId", "ClientKey") where "ClientKey" is not null;
alter table pro_rfid_history add "ClientKey" text;
create unique index pro_rfid_history_key on pro_rfid_history ("UserId", "ClientKey") where "ClientKey" is not null;
