-- The history of a point that was removed stays until its tenant's retention ends (findings 25): somebody must remember whose it was.
create table point_removed (
    "Id" bigint primary key,
    "EnterpriseId" bigint not null references enterprise,
    "Time" timestamptz not null default now()
);
select penstock_tenant_table('point_removed');

create function point_remember() returns trigger language plpgsql as $$
begin
    insert into point_removed ("Id", "EnterpriseId") values (old."Id", old."EnterpriseId") on conflict do nothing;
    return null;
end $$;
create trigger point_removed after delete on point for each row execute function point_remember();
