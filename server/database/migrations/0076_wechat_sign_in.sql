-- Who signs in by WeChat is found by what he tied.
create index user_push_union on user_push ("UnionId") where "UnionId" is not null;
create index user_push_open on user_push ("OpenId") where "OpenId" is not null;
