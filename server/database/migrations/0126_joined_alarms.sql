-- The alarm of a limit that ended because a rule's alarm stands for it: the limit is still passed.
alter table alarm_info add column "IsJoined" smallint not null default 0;
