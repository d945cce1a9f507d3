-- How large a published drawing is: to know it, a picture that shows others inside had each of them unpacked.
alter table flowchart_version add column "Bytes" integer not null default 0;
update flowchart_version set "Bytes" = octet_length("Scene"::text);
