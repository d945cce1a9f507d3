-- Figures of a report as it was made, and those that late readings moved.
alter table report_run add column "Figures" jsonb, add column "Late" jsonb, add column "LateCounts" jsonb;
