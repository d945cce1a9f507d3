-- Whether a session began with the password of its account: who came by WeChat signs no report. Of sessions that are open now, those of
-- people who have tied a WeChat are taken to have begun by it.
alter table session add column "ByPassword" smallint not null default 0 check ("ByPassword" in (0, 1));
update session s set "ByPassword" = 1 where not exists (
    select 1 from user_push p where p."UserId" = s."UserId" and (p."OpenId" is not null or p."UnionId" is not null));
