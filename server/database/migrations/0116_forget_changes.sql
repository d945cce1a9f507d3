-- Nobody deletes entries of the log but this function, up to the place that a signature stands for.
drop policy kept on change;
revoke delete on change from penstock_platform;

do $$ begin
    -- The owner is held by row-level security too, unless it is a superuser.
    execute format('create policy forgetting on change for delete to %I using (true)', current_user);
    execute format('create policy forgetting_reads on change for select to %I using (true)', current_user);
    execute format('create policy forgetting_reads on change_checkpoint for select to %I using (true)', current_user);
end $$;

create function penstock_forget_changes(tenant bigint, upto bigint) returns bigint language sql security definer set search_path = pg_catalog, public as $$
    with gone as (
        delete from public.change where "EnterpriseId" = tenant and "Seq" <= upto
            and "Seq" <= (select max("Seq") from public.change_checkpoint where "EnterpriseId" = tenant and "Removed" = 1)
        returning 1)
    select count(*) from gone
$$;
revoke all on function penstock_forget_changes(bigint, bigint) from public;
grant execute on function penstock_forget_changes(bigint, bigint) to penstock_platform;
