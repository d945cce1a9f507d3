-- Until when an account holds, its picture, and the posts a person holds.
alter table "user"
    add "ValidTo" timestamptz,
    add "Avatar" text;
grant select ("ValidTo", "Avatar"), update ("ValidTo", "Avatar") on "user" to penstock_tenant;

create table user_post (
    "EnterpriseId" bigint not null references enterprise,
    "UserId" bigint not null,
    "PostId" bigint not null,
    primary key ("UserId", "PostId"),
    foreign key ("EnterpriseId", "UserId") references "user" ("EnterpriseId", "Id") on delete cascade,
    constraint "user_post_PostId_fkey" foreign key ("EnterpriseId", "PostId") references post ("EnterpriseId", "Id")
);
create index user_post_post on user_post ("PostId");
select penstock_tenant_table('user_post');
