-- Whose messages go first, as its rule had it when it was raised. Most are in turn: those that are not are found by an index of their own.
alter table alarm_info add column "Priority" smallint not null default 2;
create index alarm_info_priority on alarm_info ("EnterpriseId", "Priority", "StartTime" desc, "Id" desc) where "Priority" <> 2;

-- Since when a gateway says that it is locked, or that it is not.
alter table gateway add column "RemoteLockTime" timestamptz;
