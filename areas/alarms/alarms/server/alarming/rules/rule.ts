// A compiled rule: names resolved, seconds converted to ms.
import { Operator } from '../../../../alarm-rules/alarm-configure.ts'
import { from, type Span, upTo } from '../span.ts'
import type { Gate } from './gate.ts'

/** One condition. `style` and `trigger` as in the contract; `a` and `b` in the unit of the point. */
export type Test = {
  style: 1 | 2 | 3 | 4
  trigger: 1 | 2 | 3
  /** Duration, window, silence or interval, depending on the style, ms. */
  ms: number
  times: number
  op: number
  a: number
  b: number
  band: number
  binary: boolean
}

export type Rule = {
  id: number
  level: number
  /** 1 and, 2 or: between the groups, and within each. */
  logic: 1 | 2
  groups: readonly { logic: 1 | 2; tests: readonly Test[] }[]
  /** Higher levels and the values from which they apply; only with a single test. */
  severity: readonly { level: number; value: number }[]
  gate: Gate
  /** Time without the condition before the alarm clears, ms. */
  holdMs: number
}

/** A subject of a rule. `points`: for each test, in the order of the groups, the points of which any may meet it. */
export type Subject = { key: string; points: readonly (readonly number[])[] }

/** Whether a value meets a test, with hysteresis: once met, it stays met until the value is back by the deadband. */
export const meets = ({ op, a, b, band }: Test, value: number, met: boolean): boolean => {
  const slack = met ? band : 0
  switch (op) {
    case Operator.equal:
      return value === a
    case Operator.notEqual:
      return value !== a
    case Operator.above:
      return value > a - slack
    case Operator.atLeast:
      return value >= a - slack
    case Operator.below:
      return value < a + slack
    case Operator.atMost:
      return value <= a + slack
    case Operator.between:
      return value >= a - slack && value <= b + slack
    default:
      return value < a + slack || value > b - slack
  }
}

/** The test whose alarms have an extreme: the only test of its rule, if it compares numbers with a limit or a band. */
export const extremeTest = ({ groups }: Rule): Test | undefined => {
  const only = groups.length === 1 && groups[0]!.tests.length === 1 ? groups[0]!.tests[0]! : undefined
  if (!only || only.binary || (only.style !== 1 && only.style !== 4)) return undefined
  return (only.op >= Operator.above && only.op <= Operator.atMost) || only.op === Operator.outside ? only : undefined
}

/** Values that are no further beyond the limit, or outside the band, than the extreme. */
export const upToExtreme = ({ op, a, b }: Test, extreme: number): Span => {
  if (op === Operator.above || op === Operator.atLeast) return upTo(extreme)
  if (op === Operator.below || op === Operator.atMost) return from(extreme)
  const distance = Math.max(a - extreme, extreme - b)
  return [a - distance, b + distance]
}

/** Whether the change between two readings meets a test: the difference of numbers, or the new state of a two-valued point. */
export const moves = (test: Test, before: number, value: number): boolean => {
  if (before === value) return false
  return meets(test, test.binary ? value : Math.abs(value - before), false)
}

/** The level of an alarm at a value. */
export const levelAt = (rule: Rule, value: number | null): number => {
  const test = rule.groups[0]!.tests[0]!
  let { level } = rule
  if (value !== null)
    for (const step of rule.severity) if (meets({ ...test, a: step.value, band: 0 }, value, false)) level = Math.max(level, step.level)
  return level
}
