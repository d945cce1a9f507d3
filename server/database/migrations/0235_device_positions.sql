-- Devices that stand apart from their project, such as wells and pump stations.
alter table device add "Longitude" double precision, add "Latitude" double precision;
create index device_placed on device ("EnterpriseId", "DeviceName", "Id") where "Longitude" is not null and "Latitude" is not null;
