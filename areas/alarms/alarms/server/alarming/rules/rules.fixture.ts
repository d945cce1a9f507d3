// A plant and rules for tests of the engine.

import type { Stored } from '../../../../../../server/telemetry/sample.ts'
import type { RuleCondition, RuleConfigure } from '../../../../alarm-rules/alarm-configure.ts'
import { compile, type Plant } from './compile.ts'
import { Rules } from './engine.ts'

/** Points 1 to 9 of device 1, 11 to 19 of device 2, and so on; the last digit 9 is two-valued. */
const kind = (id: number) => (id % 10 === 9 ? 0 : 7)
export const plant: Plant = {
  point: (id) => ({ Id: id, ParaDataType: kind(id) }),
  pointsOf: (device) =>
    Array.from({ length: 9 }, (_, i) => ({ Id: (device - 1) * 10 + i + 1, ParaName: `P${i + 1}`, ParaDataType: kind(i + 1) })),
  projectOf: () => 1,
  devicesOfProject: () => [1, 2],
  devicesOfModel: () => [1],
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

export const base = Date.UTC(2026, 5, 1, 12)
export const stored = (rows: [point: number, second: number, value: number | null, quality?: number][]): Stored[] =>
  rows.map(([point, second, value, quality = 0], i) => ({ point, time: base + second * 1000, value, quality, n: i + 1 }))

export type EventSummary = [kind: string, second: number, key?: string]
/** Readings of point 1 (or [point, …]) through one rule; time passes up to `end`, s. */
export const run = (config: RuleConfigure, rows: [number, number, number | null, number?][], end = 0, level = 1) => {
  const engine = new Rules()
  const events = engine.put(compile(5, level, config, plant), base)
  for (const row of stored(rows)) {
    events.push(...engine.tick(row.time - 1), ...engine.judge([row]))
  }
  events.push(...engine.tick(base + end * 1000))
  return events
}
export const summarize = (...args: Parameters<typeof run>): EventSummary[] => run(...args).map((e) => [e.kind, (e.time - base) / 1000])
export const one = (values: (number | null)[], step = 1) => values.map((v, i): [number, number, number | null] => [1, i * step, v])
