-- What the value of a point means. Like a column, it can be the model's or an override of the device.
alter table point
    add column "StandardParaId" bigint,
    add constraint "point_StandardParaId_fkey" foreign key ("StandardParaId") references standard_para ("Id");
create index point_standard on point ("StandardParaId") where "StandardParaId" is not null;

create or replace function penstock_point_override() returns trigger language plpgsql as $$
declare
    name text;
    was jsonb := to_jsonb(old);
    is_now jsonb := to_jsonb(new);
    own jsonb := coalesce(old."Overrides", '[]');
begin
    foreach name in array '{ParaName,ReadWriteType,RegisterType,ParaDataType,Address,SlaveNumber,SampleLow,SampleHigh,ProjectLow,ProjectHigh,AxisMin,AxisMax,ParaUnitName,IsChartShow,IsReportShow,DecimalDigits,AlarmLow,AlarmHigh,UploadMode,CollectPeriod,IntervalTime,Timeout,UploadPeriod,CollectType,IsCache,IsStore,IsReport,StandardParaId}'::text[] loop
        if was -> name is distinct from is_now -> name and not own ? name then own := own || to_jsonb(name); end if;
    end loop;
    new."Overrides" := nullif(own, '[]');
    return new;
end $$;
