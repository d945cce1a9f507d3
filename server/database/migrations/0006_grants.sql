-- Identity columns that are set by hand at the first start need their sequence.
grant usage, select, update on sequence "enterprise_Id_seq" to penstock_platform;
