-- What is to be done when a rule's alarm is raised: the alarm takes the plan of its rule.
alter table alarm_rule
    add column "AlmPlanId" bigint,
    add constraint "alarm_rule_AlmPlanId_fkey" foreign key ("EnterpriseId", "AlmPlanId") references alarm_plan ("EnterpriseId", "Id");
create index alarm_rule_plan on alarm_rule ("AlmPlanId") where "AlmPlanId" is not null;
create index alarm_info_plan on alarm_info ("AlmPlanId") where "AlmPlanId" is not null;
create index alarm_code_plan on alarm_code ("AlmPlanId") where "AlmPlanId" is not null;
