-- Roll-ups may stay longer than the readings they came from; null: as long as these.
alter table enterprise add "RetentionMonths" integer;
