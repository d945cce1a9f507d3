-- Whoever makes an organisation sees it, as with projects, departments and posts.
alter table organ add "CreateUserId" bigint default nullif(current_setting('penstock.user', true), '')::bigint;
