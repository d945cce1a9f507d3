-- Senders of JSON whose messages over HTTP are signed.
alter table network_component add column "Signed" smallint not null default 0;
