-- When a report was begun and ended, and how long that took in seconds. Of those that were made before, the end alone is known.
alter table report_run add "StartTime" timestamptz, add "EndTime" timestamptz,
    add "Duration" double precision generated always as (round(extract(epoch from "EndTime" - "StartTime"), 1)::double precision) stored;
update report_run set "EndTime" = "MadeTime" where "MadeTime" is not null;
