// The cost of evaluation, in slot visits: for each reading, a rule costs its slots once or a few times at most.
import { expect, test } from 'vitest'
import type { Stored } from '../../../../../../server/telemetry/sample.ts'
import type { RuleCondition, RuleConfigure } from '../../../../alarm-rules/alarm-configure.ts'
import { compile } from './compile.ts'
import { Rules } from './engine.ts'
import { base, condition, plant } from './rules.fixture.ts'

/** Conditions of one or more rules over these points, each slightly different. */
const ruleOf = (
  conditions: number,
  points: readonly number[],
  more: (i: number) => Partial<RuleCondition> = () => ({}),
): RuleConfigure => ({
  LogicSymbol: 2,
  EnableType: 0,
  RuleList: [
    {
      LogicSymbol: 2,
      Conditions: Array.from({ length: conditions }, (_, i) =>
        condition({ ParamValue: 25 + i / 10, AlarmParams: points.map((ParaId) => ({ ParaId })), ...more(i) }),
      ),
    },
  ],
})
/** A value that changes every condition each time. */
const swinging = (count: number, stepMs = 1000): Stored[] =>
  Array.from({ length: count }, (_, i) => ({ point: 1, time: base + i * stepMs, value: i % 2 ? 100 : 0, quality: 0, n: i + 1 }))
const perReading = (rules: RuleConfigure[], rows = swinging(50), now?: (row: Stored) => number) => {
  const engine = new Rules()
  for (const [i, rule] of rules.entries()) engine.put(compile(i + 1, 1, rule, plant), base)
  const before = engine.steps()
  for (const row of rows) {
    engine.passes(row)
    engine.judge([row], now?.(row))
    engine.advance(1, row.n)
  }
  return (engine.steps() - before) / rows.length
}

const points = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const kinds: [string, (slots: number) => RuleConfigure[]][] = [
  ['one point in each condition', (slots) => [ruleOf(slots, [1])]],
  ['many points in each condition', (slots) => [ruleOf(10, points(slots / 10))]],
  ['many rules over the same points', (slots) => Array.from({ length: slots / 40 }, () => ruleOf(2, points(20)))],
  ['lasting', (slots) => [ruleOf(slots, [1], () => ({ TriggerCondition: 2, Duration: 1 }))]],
  ['often', (slots) => [ruleOf(slots, [1], () => ({ TriggerStyle: 2, TriggerCondition: 3, Frequency: 2, Duration: 31_536_000 }))]],
  ['looked at', (slots) => [ruleOf(slots, [1], () => ({ TriggerStyle: 4, Duration: 1 }))]],
]

test.each(kinds)('a reading costs in proportion to the slots that depend on it: %s', (_, rules) => {
  const [few, many] = [perReading(rules(80)), perReading(rules(800))]
  expect(few).toBeGreaterThan(80)
  expect(many).toBeLessThan(12 * few)
  expect(many).toBeLessThan(20 * 800)
})

test('a clock that jumps ahead and back costs no more', () => {
  const rows = swinging(50).map((row, i) => ({ ...row, time: base + i + (i % 2 ? 86_400_000 : 0) }))
  const cost = (slots: number) => perReading([ruleOf(slots, [1], () => ({ TriggerStyle: 4, Duration: 60 }))], rows, () => base + 60_000)
  expect(cost(800)).toBeLessThan(12 * cost(80))
})

test('a month without a reading costs hardly more than ten minutes, whatever is looked at how often', () => {
  const afterMs = (ms: number, EnableType: 0 | 2) => {
    const engine = new Rules()
    const cron = { EnableType, EnableRule: { TimeZone: 'UTC', Cron: '* * * * * ?' } }
    const looks = ruleOf(200, [1], (i) => ({ TriggerStyle: 4, Duration: i + 1 }))
    engine.put(compile(1, 1, EnableType ? { ...looks, ...cron } : looks, plant), base)
    engine.judge(swinging(2))
    const before = engine.steps()
    engine.tick(base + ms)
    return engine.steps() - before
  }
  for (const gate of [0, 2] as const) expect(afterMs(30 * 86_400_000, gate)).toBeLessThan(4 * afterMs(600_000, gate))
})

test('a start reads the newest of many readings at the cost of one each', () => {
  const cost = (slots: number) => {
    const engine = new Rules()
    engine.put(compile(1, 1, ruleOf(slots, [1]), plant), base)
    const before = engine.steps()
    engine.witness(swinging(50))
    return engine.steps() - before
  }
  expect(cost(800)).toBeLessThan(12 * cost(80))
})
