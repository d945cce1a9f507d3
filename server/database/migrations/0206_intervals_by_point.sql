-- Index the foreign keys by company and point: with an index by company alone, deleting a point scanned all rows of the company.
drop index point_meaning_tenant;
create index point_meaning_point on point_meaning ("EnterpriseId", "PointId");
drop index meter_event_tenant;
create index meter_event_point on meter_event ("EnterpriseId", "PointId");
drop index point_interval_tenant;
create index point_interval_point on point_interval ("EnterpriseId", "PointId");
