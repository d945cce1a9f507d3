-- A released gateway has no serial number: its devices, points and history stay. FormerSN is that of the box before.
alter table gateway alter column "SN" drop not null;
alter table gateway add column "FormerSN" text;
alter table gateway add column "BoundTime" timestamptz;
