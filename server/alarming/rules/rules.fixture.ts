// A plant and rules for tests of the engine.
import type { RuleCondition, RuleConfigure } from '../../../contract/areas/alarm-configure.ts'
import type { Plant } from './compile.ts'

/** Points 1 to 9 of device 1, 11 to 19 of device 2, and so on; the last digit 9 is two-valued. */
const kind = (id: number) => (id % 10 === 9 ? 0 : 7)
export const plant: Plant = {
  point: (id) => ({ Id: id, ParaDataType: kind(id) }),
  pointsOf: (device) =>
    Array.from({ length: 9 }, (_, i) => ({ Id: (device - 1) * 10 + i + 1, ParaName: `P${i + 1}`, ParaDataType: kind(i + 1) })),
  devicesOfProject: () => [1, 2],
}
export const condition = (c: Partial<RuleCondition>): RuleCondition => ({
  TriggerStyle: 1,
  TriggerCondition: 1,
  AlarmParams: [{ ParaId: 1 }],
  ...(c.TriggerStyle === 3 ? {} : { OperateSymbol: 3, ParamValue: 10 }),
  ...c,
})
export const configure = (conditions: Partial<RuleCondition>[], more: Partial<RuleConfigure> = {}): RuleConfigure => ({
  LogicSymbol: 1,
  EnableType: 0,
  RuleList: [{ LogicSymbol: 1, Conditions: conditions.map(condition) }],
  ...more,
})
