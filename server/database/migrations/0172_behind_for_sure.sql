-- A device takes a version of its model while the next one is published: one of the two waits for the other. Both lock the model first.
create or replace function penstock_device_behind() returns trigger language plpgsql as $$
declare
    published integer;
begin
    if new."ModelId" is not null and new."ModelVersion" is not null then
        select m."Version" into published from pro_model m where m."Id" = new."ModelId" for key share;
    end if;
    new."IsBehind" := coalesce((new."ModelVersion" < published)::int, 0);
    return new;
end $$;
update device d set "IsBehind" = 1 from pro_model m where m."Id" = d."ModelId" and d."ModelVersion" < m."Version" and d."IsBehind" = 0;
-- A reset of a gateway brings devices back with the version that they had.
create trigger device_behind_added before insert on device for each row
    when (new."ModelVersion" is not null) execute function penstock_device_behind();
