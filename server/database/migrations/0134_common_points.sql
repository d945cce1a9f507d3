-- Points that any device may have: the columns of a model's point, in a group instead of a model.
create table common_para (like model_para including defaults including identity);
alter table common_para
    drop column "ModelId",
    drop column "Sort",
    add column "GroupName" text,
    add primary key ("Id"),
    add foreign key ("EnterpriseId") references enterprise,
    add unique ("EnterpriseId", "Id"),
    add constraint "common_para_ParaName_key" unique ("EnterpriseId", "ParaName"),
    add constraint "common_para_ParaKey_key" unique ("EnterpriseId", "ParaKey"),
    add constraint "common_para_StandardParaId_fkey" foreign key ("StandardParaId") references standard_para ("Id");
create index common_para_standard on common_para ("StandardParaId") where "StandardParaId" is not null;
select penstock_tenant_table('common_para');

update role set "MenuCodes" = "MenuCodes" || '{m10121,m10121.add,m10121.edit,m10121.remove}'::text[] where "RouteRole" = 'admin';
update role set "MenuCodes" = "MenuCodes" || '{m10121}'::text[] where "RouteRole" = 'editor' and 'm10120' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || '{m10121.add,m10121.edit,m10121.remove}'::text[] where "RouteRole" = 'editor' and 'm10120.add' = any("MenuCodes");
