// Templates of rules name points by their names only: a rule made from one chooses its own.
import { configureFaults, type RuleConfigure } from '../../../contract/areas/alarm-configure.ts'
import { almTemplate } from '../../../contract/areas/alarm-settings.ts'
import type { Row } from '../../../contract/base/resource.ts'
import type { Db } from '../../database/db.ts'
import { FieldFaults } from '../../http/faults.ts'
import type { Actor } from '../../identity/actor.ts'
import { store } from '../../resource/store.ts'

const templates = store(almTemplate)
type Values = Record<string, unknown>

/** Without what belongs to one plant: ids of points and devices. */
const withoutPlace = (configure: RuleConfigure): RuleConfigure => ({
  ...configure,
  RuleList: configure.RuleList.map((group) => ({
    ...group,
    Conditions: group.Conditions.map(({ DeviceSelection: _, ...condition }) => ({
      ...condition,
      AlarmParams: condition.AlarmParams.slice(0, 1).map(({ ParaName, ParaDataType }) => ({
        ParaName: ParaName ?? null,
        ParaDataType: ParaDataType ?? null,
      })),
    })),
  })),
})

const checked = (draft: Values, level: number) => {
  if (draft.RuleConfigure === undefined) return draft
  const configure = withoutPlace(draft.RuleConfigure as RuleConfigure)
  const faults = configureFaults(configure, { level, isBool: (p) => p.ParaDataType === 0 })
    // Which points is asked of the rule.
    .filter(({ Path }) => !/\.(AlarmParams|DeviceSelection)\b/.test(Path))
  if (faults.length)
    throw new FieldFaults(faults.map(({ Path, key, values }) => ({ field: `RuleConfigure.${Path}`, rule: ruleOf(key), values })))
  return { ...draft, RuleConfigure: configure }
}
const ruleOf = (key: string) => key.replace(/^fault\.field\./, '')

export const makeTemplate = (db: Db, actor: Actor, draft: Values): Promise<Row<typeof almTemplate>> =>
  templates.create(db, actor, checked(draft, Number(draft.AlarmLevel ?? 2)))

export const changeTemplate = (db: Db, actor: Actor, change: Values & { Id: number }): Promise<Row<typeof almTemplate>> =>
  db.tx(async (db) => {
    const held = await templates.find(db, actor, change.Id)
    const level = Number(change.AlarmLevel ?? held.AlarmLevel)
    // A level alone may contradict the steps that stand there.
    return templates.update(db, actor, change.Id, checked({ RuleConfigure: held.RuleConfigure, ...change }, level))
  })
