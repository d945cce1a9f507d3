-- Channels of described protocols.
alter table net_protocol add column "SelfParseId" bigint,
    add constraint "net_protocol_SelfParseId_fkey" foreign key ("EnterpriseId", "SelfParseId") references self_parse ("EnterpriseId", "Id");
alter table serial_protocol add column "SelfParseId" bigint,
    add constraint "serial_protocol_SelfParseId_fkey" foreign key ("EnterpriseId", "SelfParseId") references self_parse ("EnterpriseId", "Id");
create index net_protocol_description on net_protocol ("SelfParseId") where "SelfParseId" is not null;
create index serial_protocol_description on serial_protocol ("SelfParseId") where "SelfParseId" is not null;
