-- Which orders were completed lately.
create index mtn_maintenance_order_checked on mtn_maintenance_order ("EnterpriseId", "CheckTime") where "Status" = 5;
