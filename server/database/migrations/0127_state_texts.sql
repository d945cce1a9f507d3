-- What a Bool is called at 0 and at 1. An alarm has the texts of its point as they were when it was raised.
alter table point add column "ZeroText" text, add column "OneText" text;
alter table alarm_info add column "ZeroText" text, add column "OneText" text;
