-- What people say about a moment or a time of a point.
create table chart_note (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "ParaId" bigint not null,
    "Time" timestamptz not null,
    "EndTime" timestamptz,
    "Text" text not null,
    "UserId" bigint references "user" on delete set null,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "chart_note_ParaId_fkey" foreign key ("EnterpriseId", "ParaId") references point ("EnterpriseId", "Id") on delete cascade
);
select penstock_tenant_table('chart_note');
create index chart_note_point on chart_note ("ParaId", "Time");
create index chart_note_user on chart_note ("UserId");

update role set "MenuCodes" = "MenuCodes" || '{m10314,m10314.add,m10314.edit,m10314.remove}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10314}'::text[]
where "RouteRole" is distinct from 'admin' and 'm10301' = any("MenuCodes");
