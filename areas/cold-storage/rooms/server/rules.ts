// The alarm rules of a room: one for its temperature and one for its humidity. Rules judge what is measured, so their limits are moved by what
// the calibration of each sensor adds; an alarm and an excursion then judge the same value.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { copyName } from '../../../../server/resource/copyName.ts'
import { alarmRule } from '../../../alarms/alarm-rules/contract.ts'
import { coldStoreAlarms, ruleWrites, setAlarmType } from '../../../alarms/alarms/server/service.ts'
import { Sensor } from '../contract.ts'

/** Excursions that are less than this apart are one; an alarm ends after as long within the band. */
export const apartMs = 300_000

type Judged = { ParaId: number; Offset: number }
type Limits = { low: number | null; high: number | null }
/** Limits of a reading that is corrected by an offset, without the digits that subtracting makes. */
const moved = (limit: number, offset: number) => Math.round((limit - offset) * 1e6) / 1e6

const conditionOf = ({ low, high }: Limits, offset: number, ids: readonly number[]) => {
  const AlarmParams = ids.map((ParaId) => ({ ParaId }))
  const base = { TriggerStyle: 1, TriggerCondition: 1, AlarmParams }
  if (low !== null && high !== null) return { ...base, OperateSymbol: 8, ParamValue: moved(low, offset), ParamValue2: moved(high, offset) }
  return high !== null
    ? { ...base, OperateSymbol: 3, ParamValue: moved(high, offset) }
    : { ...base, OperateSymbol: 5, ParamValue: moved(low!, offset) }
}

/** With one offset, each sensor is judged by itself, so that one in alarm does not hide another; else any of them raises. */
export const configureOf = (limits: Limits, sensors: readonly Judged[]) => {
  const offsets = new Set(sensors.map(({ Offset }) => Offset))
  const conditions =
    offsets.size === 1
      ? [
          conditionOf(
            limits,
            sensors[0]!.Offset,
            sensors.map(({ ParaId }) => ParaId),
          ),
        ]
      : sensors.map(({ ParaId, Offset }) => conditionOf(limits, Offset, [ParaId]))
  const RuleList = Array.from({ length: Math.ceil(conditions.length / 20) }, (_, i) => ({
    LogicSymbol: 2,
    Conditions: conditions.slice(20 * i, 20 * i + 20),
  }))
  return { LogicSymbol: 2, EnableType: 0, RuleList, HoldOff: apartMs / 1000 }
}

type Stored = {
  ParamValue?: number | null
  ParamValue2?: number | null
  OperateSymbol?: number | null
  AlarmParams: { ParaId?: number | null }[]
}
/** What decides; the check of rules completes conditions with names. */
const deciding = (configure: unknown) =>
  JSON.stringify(
    ((configure as { RuleList?: { Conditions: Stored[] }[] } | null)?.RuleList ?? []).map(({ Conditions }) =>
      Conditions.map(({ OperateSymbol, ParamValue, ParamValue2, AlarmParams }) => [
        ...[OperateSymbol, ParamValue, ParamValue2 ?? null],
        AlarmParams.map(({ ParaId }) => ParaId),
      ]),
    ),
  )

type Of = { StorageName: string; ProjectId: number; Language: string | null; TempLow: number | null; TempHigh: number | null } & {
  HumLow: number | null
  HumHigh: number | null
  TempRuleId: number | null
  HumRuleId: number | null
}
const kinds = [
  { type: Sensor.temperature, column: 'TempRuleId', key: 'temperature', level: 3 },
  { type: Sensor.humidity, column: 'HumRuleId', key: 'humidity', level: 2 },
] as const

/** Makes, changes or removes the rules of a room, as its band and its sensors are now. */
export const writeRules = async (db: Db, actor: Actor, id: number) => {
  const [room] = await db.rows<Of>(sql`
    select r."StorageName", r."ProjectId", e."Language", r."TempLow"::float8 as "TempLow", r."TempHigh"::float8 as "TempHigh",
      r."HumLow"::float8 as "HumLow", r."HumHigh"::float8 as "HumHigh", r."TempRuleId", r."HumRuleId"
    from cold_storage r join enterprise e on e."Id" = r."EnterpriseId" where r."Id" = ${id}`)
  const sensors = await db.rows<Judged & { SensorType: number }>(sql`
    select b."ParaId", b."SensorType", b."CalibOffset"::float8 as "Offset" from cold_sensor_bind b join point p on p."Id" = b."ParaId"
    where b."ColdStorageId" = ${id} and b."UnbindTime" is null and b."SensorType" in (1, 2) order by b."Id"`)
  for (const { type, column, key, level } of kinds) {
    const limits = type === Sensor.temperature ? { low: room!.TempLow, high: room!.TempHigh } : { low: room!.HumLow, high: room!.HumHigh }
    const judged = sensors.filter(({ SensorType }) => SensorType === type)
    const isJudged = judged.length > 0 && (limits.low !== null || limits.high !== null)
    const ruleId = room![column]
    if (!isJudged) {
      if (ruleId !== null) await ruleWrites.remove(db, actor, [ruleId])
      continue
    }
    const RuleConfigure = configureOf(limits, judged)
    if (ruleId !== null) {
      const [before] = await db.rows<{ RuleConfigure: unknown }>(sql`select "RuleConfigure" from alarm_rule where "Id" = ${ruleId}`)
      if (deciding(before?.RuleConfigure) !== deciding(RuleConfigure)) await ruleWrites.change(db, actor, ruleId, { RuleConfigure })
      continue
    }
    const name = word((room!.Language ?? 'zh') as 'zh', `cold.rule.${key}`, { room: room!.StorageName.slice(0, 30) })
    const RuleName = await copyName(db, alarmRule as never, name, sql`"ProjectId" = ${room!.ProjectId}`)
    const { Id } = await ruleWrites.create(db, actor, { RuleName, ProjectId: room!.ProjectId, AlarmLevel: level, Status: 1, RuleConfigure })
    await setAlarmType(db, Id, coldStoreAlarms)
    await db.rows(sql`update cold_storage set ${sql.raw(`"${column}"`)} = ${Id} where "Id" = ${id}`)
  }
}
