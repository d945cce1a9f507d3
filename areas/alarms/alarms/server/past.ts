// Alarms for seeded history. The alarm engines evaluate it as usual, but notify nobody.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Sample } from '../../../../server/telemetry/sample.ts'
import { Enable, type RuleConfigure, Style } from '../../alarm-rules/alarm-configure.ts'
import { Engine } from './alarming/engine.ts'
import { compile, withinProject } from './alarming/rules/compile.ts'
import { Rules } from './alarming/rules/engine.ts'
import { type AlarmChange, ofLimit, ofRule, type RuleMeta } from './alarmRows.ts'
import { fold, insert } from './alarmStore.ts'
import { createJoining, inOrder } from './joining.ts'
import { hasLimits, watchOf } from './limits.ts'
import { type PlantRegistry, plantOf } from './ruleRegistry.ts'

export type PastRule = RuleMeta & { ProjectId: number; AlarmLevel: number }
export type PastAlarm = { Id: number; ParaId: number; RuleName: string; AlarmLevel: number; Start: number; End: number }

/** Quarter-hourly readings are too coarse for no-data, change and clock rules. */
const isJudged = ({ EnableType, RuleList }: RuleConfigure) =>
  EnableType !== Enable.cron && RuleList.every((group) => group.Conditions.every((c) => c.TriggerStyle === Style.value))

export const pastRules = async (db: Db, EnterpriseId: number): Promise<PastRule[]> => {
  const rules = await db.rows<PastRule>(sql`
    select "Id", "EnterpriseId", "ProjectId", "RuleName", "RuleType", "AlarmType", "Priority", "AlmPlanId", "AlarmLevel", "RuleConfigure" from alarm_rule
    where "EnterpriseId" = ${EnterpriseId} and "Status" = 1`)
  return rules.filter((rule) => isJudged(rule.RuleConfigure))
}

/** Computes the alarms of a period, starting with none active at `start` (epoch ms). Takes readings in time order. */
export const judgePast = (
  registry: PlantRegistry,
  rules: readonly PastRule[],
  readings: readonly Sample[],
  start: number,
): AlarmChange[] => {
  const [limits, engine] = [new Engine(), new Rules()]
  const plant = plantOf(registry)
  for (const point of new Set(readings.map((r) => r.point))) {
    const meta = registry.get(point)
    if (meta && hasLimits(meta)) limits.configure(watchOf(meta), start)
  }
  for (const rule of rules) engine.put(compile(rule.Id, rule.AlarmLevel, rule.RuleConfigure, withinProject(plant, rule.ProjectId)), start)
  const rows = readings.map((reading, i) => ({ ...reading, n: i + 1 }))
  const metaOf = new Map(rules.map((rule) => [rule.Id, rule]))
  const ofLimits = limits.judge(rows).map((e) => ofLimit(e, registry.get))
  const ofRules = engine.judge(rows).map((e) => ofRule(e, metaOf.get(e.rule), registry.get))
  return createJoining([], [], () => undefined).apply(inOrder(ofLimits, ofRules))
}

/** Stores cleared alarms without notifying anybody. Skips those still active at the end. */
export const savePast = async (db: Db, changes: readonly AlarmChange[]): Promise<PastAlarm[]> => {
  const cleared = fold(changes).drafts.filter((draft) => draft.RecoverTime !== null)
  const made: PastAlarm[] = []
  for (const row of cleared.length ? await db.rows(insert(cleared)) : [])
    made.push({ ...row, ParaId: row.ParaId!, Start: row.Time, End: row.LastTime })
  const ids = made.map(({ Id }) => Id)
  await db.all([
    // Deletes the rows of the trigger for new alarms: past alarms send no messages and run no actions.
    ...['notice_due', 'alarm_push', 'alarm_action', 'alarm_webhook_event'].map(
      (name) => sql`delete from ${sql.table(name)} where "AlmInfoId" = any(${ids}::bigint[])`,
    ),
    sql`update alarm_info set "CreateTime" = "StartTime", "UpdateTime" = "RecoverTime" where "Id" = any(${ids}::bigint[])`,
    sql`update alarm_rule r set "LastTriggerTime" = greatest(r."LastTriggerTime", a.last)
      from (select "AlmRuleId", max("StartTime") as last from alarm_info where "Id" = any(${ids}::bigint[]) group by 1) a where r."Id" = a."AlmRuleId"`,
  ])
  return made
}
