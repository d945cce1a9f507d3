-- Devices whose points are of an older version of their model than the published one.
alter table device add column "IsBehind" smallint not null default 0;
update device d set "IsBehind" = 1 from pro_model m where m."Id" = d."ModelId" and d."ModelVersion" < m."Version";
create index device_behind on device ("EnterpriseId", "ModelId", "Id") where "IsBehind" = 1;

create function penstock_device_behind() returns trigger language plpgsql as $$
begin
    new."IsBehind" := coalesce((select (new."ModelVersion" < m."Version")::int from pro_model m where m."Id" = new."ModelId"), 0);
    return new;
end $$;
create trigger device_behind before update of "ModelId", "ModelVersion" on device for each row
    when (old."ModelId" is distinct from new."ModelId" or old."ModelVersion" is distinct from new."ModelVersion")
    execute function penstock_device_behind();

create function penstock_model_published() returns trigger language plpgsql as $$
begin
    update device set "IsBehind" = 1 where "ModelId" = new."Id" and "ModelVersion" < new."Version" and "IsBehind" = 0;
    return null;
end $$;
create trigger model_published after update of "Version" on pro_model for each row
    when (old."Version" is distinct from new."Version") execute function penstock_model_published();
