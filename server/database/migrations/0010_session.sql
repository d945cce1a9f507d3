-- Secret questions as an extra factor (off unless the tenant wants them), and the key of the online map.
alter table enterprise
    add "SecretQuestions" smallint not null default 0,
    -- Enterprise 1 holds the installation's.
    add "MapKey" text;

create table secret_answer (
    "UserId" bigint not null references "user" on delete cascade,
    "Question" smallint not null,
    -- argon2id, as passwords
    "AnswerHash" text not null,
    "UpdateTime" timestamptz not null default now(),
    primary key ("UserId", "Question")
);
select penstock_system_table('secret_answer');
