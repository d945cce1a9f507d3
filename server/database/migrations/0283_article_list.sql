-- Articles of one time are in order, too: a page is the next entries of the index.
drop index "mtn_knowledge_base_EnterpriseId_UpdateTime_idx";
create index mtn_knowledge_base_list on mtn_knowledge_base ("EnterpriseId", "UpdateTime" desc, "Id" desc);
