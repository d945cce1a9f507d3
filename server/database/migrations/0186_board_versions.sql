-- What a dashboard was after each change of its content. The first is what it was before the first change.
create table visual_board_version (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "VisualBoardId" bigint not null,
    "Version" integer not null,
    "Content" jsonb not null,
    "Added" integer not null default 0,
    "Removed" integer not null default 0,
    "Changed" integer not null default 0,
    "UserId" bigint references "user" ("Id") on delete set null,
    "CreateTime" timestamptz not null default now(),
    unique ("VisualBoardId", "Version"),
    foreign key ("EnterpriseId", "VisualBoardId") references visual_board ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('visual_board_version');
create index visual_board_version_user on visual_board_version ("UserId") where "UserId" is not null;
