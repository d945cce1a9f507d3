-- A person with several roles may act as one, for as long as the session lives; a role taken away takes the choice with it.
alter table session
    add "RoleId" bigint,
    -- When a secret question was answered in this session: the extra factor before a lost password is replaced.
    add "AnswerTime" timestamptz,
    add constraint "session_RoleId_fkey" foreign key ("UserId", "RoleId") references user_role ("UserId", "RoleId") on delete set null ("RoleId");
create index session_role on session ("UserId", "RoleId") where "RoleId" is not null;
