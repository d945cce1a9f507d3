-- Some calls read all roles of a company, and all values of its dictionaries. One record more than it may have undoes the statement.
create function penstock_most() returns trigger language plpgsql as $$
declare
    tenant record;
    most constant integer := TG_ARGV[0]::integer;
    held integer;
begin
    for tenant in select distinct "EnterpriseId" as id from added loop
        execute format('select count(*)::int from (select 1 from %I where "EnterpriseId" = $1 limit %s) t', TG_TABLE_NAME, most + 1)
            into held using tenant.id;
        if held > most then
            raise exception 'too many records' using errcode = 'PN001', constraint = 'MaxRecords', detail = most::text;
        end if;
    end loop;
    return null;
end $$;
create trigger role_most after insert on role referencing new table as added for each statement execute function penstock_most(1000);
create trigger dict_most after insert on dict referencing new table as added for each statement execute function penstock_most(1000);
create trigger data_dict_most after insert on data_dict referencing new table as added for each statement execute function penstock_most(10000);
