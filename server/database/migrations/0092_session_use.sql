-- When somebody last used a session, as against his screens asking by themselves: what a tenant's IdleMinutes count from.
alter table session add "UseTime" timestamptz not null default now();
update session set "UseTime" = "LastTime";
