// Rule templates contain only names of points: a rule made from one chooses its own points.

import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { configureFaults, type RuleConfigure } from '../../alarm-rules/alarm-configure.ts'
import type { almTemplate } from '../contract.ts'

/** Removes Ids of points and devices, which belong to one plant. */
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

/** Also checks a changed level, which may contradict the existing steps. */
export const checkTemplate: Check<typeof almTemplate> = async (_db, _actor, given, existing) => {
  const configure = withoutPlace((given.RuleConfigure ?? existing?.RuleConfigure) as RuleConfigure)
  const level = Number(given.AlarmLevel ?? existing?.AlarmLevel ?? 2)
  const faults = configureFaults(configure, { level, isBool: (p) => p.ParaDataType === 0 })
    // The rule chooses the points, so their absence is not a fault.
    .filter(({ Path }) => !/\.(AlarmParams|DeviceSelection)\b/.test(Path))
  if (faults.length)
    throw new FieldFaults(faults.map(({ Path, key, values }) => ({ field: `RuleConfigure.${Path}`, rule: ruleOf(key), values })))
  return given.RuleConfigure ? { ...given, RuleConfigure: configure } : given
}
const ruleOf = (key: string) => key.replace(/^fault\.field\./, '')
