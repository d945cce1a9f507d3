// Alarm rules for all devices of a model refer to its points by name.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { alarmRule } from '../../../alarms/alarm-rules/contract.ts'

type Condition = { DeviceSelection?: { ModelId?: number | null } | null; AlarmParams: { ParaName?: string | null }[] }
type Configure = { RuleList: { Conditions: Condition[] }[] }
type Naming = { Id: number; RuleName: string; Before: string; After: string }

const conditionsOf = ({ RuleList }: Configure, model: number) =>
  RuleList.flatMap(({ Conditions }) => Conditions).filter((c) => c.DeviceSelection?.ModelId === model)

/** Rules that refer to a renamed point. Rules hidden from the caller appear by number only. */
export const rulesNaming = async (db: Db, actor: Actor, model: number, names: ReadonlyMap<string, string>): Promise<Naming[]> => {
  if (!names.size) return []
  const rules = await db.rows<{ Id: number; RuleName: string; Seen: boolean; RuleConfigure: Configure }>(sql`
    select "Id", "RuleName", "RuleConfigure", ${visible(alarmRule, actor)} as "Seen" from alarm_rule t
    where jsonb_path_exists("RuleConfigure", '$.RuleList[*].Conditions[*].DeviceSelection.ModelId ? (@ == $id)', ${JSON.stringify({ id: model })}::jsonb)
    order by "Id"`)
  return rules.flatMap(({ Id, RuleName, Seen, RuleConfigure }) => {
    const found = new Set(conditionsOf(RuleConfigure, model).flatMap((c) => c.AlarmParams.flatMap((p) => p.ParaName ?? [])))
    return [...found]
      .filter((name) => names.has(name))
      .map((Before) => ({ Id, RuleName: Seen ? RuleName : `#${Id}`, Before, After: names.get(Before)! }))
  })
}

/** Updates the point names in alarm rules. Changes none unless the caller may change them all. */
export const renameInRules = async (db: Db, actor: Actor, model: number, names: ReadonlyMap<string, string>, rules: readonly Naming[]) => {
  assertHolds(actor, [`${alarmRule.permission}.edit`])
  const stored = store(alarmRule)
  for (const Id of new Set(rules.map((rule) => rule.Id))) {
    const { RuleConfigure } = await stored.find(db, actor, Id)
    const renamed = structuredClone(RuleConfigure) as Configure
    for (const c of conditionsOf(renamed, model))
      for (const p of c.AlarmParams) p.ParaName = names.get(p.ParaName ?? '') ?? p.ParaName ?? null
    await stored.update(db, actor, Id, { RuleConfigure: renamed })
  }
}
