-- Windows and least times of the points of a patrol, and where and by what clock a phone read a tag.
alter table mtn_check_plan add "Stops" jsonb;
alter table mtn_check_order add "Stops" jsonb, add "HurriedPoints" jsonb;
alter table pro_rfid_history
    add "Longitude" double precision,
    add "Latitude" double precision,
    add "DistanceM" integer,
    add "IsFar" smallint not null default 0,
    add "IsClockOff" smallint not null default 0;
create index pro_rfid_history_places on pro_rfid_history ("ReadTime") where "Longitude" is not null or "DistanceM" is not null;
