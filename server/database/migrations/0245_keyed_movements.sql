-- A movement that is sent twice with the same key is one movement.
alter table mtn_component_record add "ClientKey" text, add "Hash" text;
create unique index mtn_component_record_key on mtn_component_record ("UserId", "ClientKey") where "ClientKey" is not null;
