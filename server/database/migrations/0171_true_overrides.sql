-- What the model gave in place of each override. A column that has this value again is no override any more.
alter table point add column "ModelGave" jsonb;

-- Existing overrides: values of the applied version, except texts that calculate.
update point p set "ModelGave" = (
    select jsonb_object_agg(o, x -> o) from jsonb_array_elements_text(p."Overrides") o
    where o not in ('ParaName', 'Address', 'SlaveNumber') and x ? o)
from device d, model_version v, jsonb_array_elements(v."Points") x
where d."Id" = p."DeviceId" and v."ModelId" = d."ModelId" and v."Version" = d."ModelVersion"
    and p."ModelParaId" is not null and p."Overrides" is not null and (x ->> 'Id')::bigint = p."ModelParaId";

-- Overrides of which the edit was undone.
select set_config('penstock.applying', '1', true);
update point p set "Overrides" = (
    select jsonb_agg(o) from jsonb_array_elements_text(p."Overrides") o where "ModelGave" -> o is distinct from to_jsonb(p) -> o)
where "ModelGave" is not null;
select set_config('penstock.applying', '', true);

create or replace function penstock_point_override() returns trigger language plpgsql as $$
declare
    name text;
    was jsonb := to_jsonb(old);
    is_now jsonb := to_jsonb(new);
    own jsonb := coalesce(old."Overrides", '[]');
    gave jsonb := coalesce(old."ModelGave", '{}');
begin
    foreach name in array '{ParaName,ReadWriteType,RegisterType,ParaDataType,Address,SlaveNumber,SampleLow,SampleHigh,ProjectLow,ProjectHigh,AxisMin,AxisMax,ParaUnitName,IsChartShow,IsReportShow,DecimalDigits,AlarmLow,AlarmHigh,UploadMode,CollectPeriod,IntervalTime,Timeout,UploadPeriod,CollectType,IsCache,IsStore,IsReport,StandardParaId}'::text[] loop
        continue when was -> name is not distinct from is_now -> name;
        if not own ? name then
            own := own || to_jsonb(name);
            gave := gave || jsonb_build_object(name, was -> name);
        elsif gave -> name is not distinct from is_now -> name then
            own := own - name;
            gave := gave - name;
        end if;
    end loop;
    new."Overrides" := nullif(own, '[]');
    new."ModelGave" := nullif(gave, '{}');
    return new;
end $$;
