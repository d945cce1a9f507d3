-- What an alarm says must be true: what its value is compared with, in which unit, and how far it went. Older rows have none of it.
alter table alarm_info
    add column "TriggerStyle" smallint,
    add column "OperateSymbol" smallint,
    add column "LimitValue2" float8,
    add column "ExtremeValue" float8,
    add column "ParaUnitName" text,
    add column "DecimalDigits" smallint,
    add column "ParaDataType" smallint,
    -- Always empty: the sentence is made in the language of its reader.
    add column "AlarmDesc" text;
