-- People of the platform may receive alarms of a company. Its people learn their names by this function and nothing else of them.
do $$ begin
    -- The owner is held by row-level security too, unless it is a superuser.
    execute format('create policy receivers on "user" for select to %I using (true)', current_user);
    execute format('create policy receivers on user_role for select to %I using (true)', current_user);
    execute format('create policy receivers on role for select to %I using (true)', current_user);
end $$;
create function penstock_platform_people(people bigint[]) returns table ("Id" bigint, "UserName" text)
language sql stable security definer set search_path = pg_catalog, public as $$
    select u."Id", u."UserName" from public."user" u where u."Id" = any(people) and exists (
        select 1 from public.user_role ur join public.role r on r."Id" = ur."RoleId"
        where ur."UserId" = u."Id" and r."IsPlatform" = 1 and r."Status" = 1)
$$;
revoke all on function penstock_platform_people(bigint[]) from public;
grant execute on function penstock_platform_people(bigint[]) to penstock_tenant, penstock_platform;
-- The log of pushes names them, too.
alter table alm_push_record drop constraint "alm_push_record_EnterpriseId_UserId_fkey",
    add constraint "alm_push_record_UserId_fkey" foreign key ("UserId") references "user" ("Id") on delete set null;
