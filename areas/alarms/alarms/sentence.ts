// Sentences about an alarm's value, for lists, messages and sheets. They state only data stored with the alarm.
import { formatOf } from '../../../contract/formats.ts'
import type { Language } from '../../../contract/languages.ts'
import { boolType, type StateTexts, stateText } from '../../../contract/point-value.ts'
import { Operator, Style } from '../alarm-rules/alarm-configure.ts'

/** The columns of an alarm that the sentence uses. Missing or null means unknown. */
export type AlarmFacts = Partial<{
  /** 0 once cleared. */
  IsActive: number | null
  TriggerStyle: number | null
  OperateSymbol: number | null
  /** `low` or `high`: the only information about the operator in alarms of older versions. */
  Limit: string | null
  LimitValue: number | null
  LimitValue2: number | null
  TriggerValue: number | null
  LastValue: number | null
  ExtremeValue: number | null
  ParaUnitName: string | null
  DecimalDigits: number | null
  ParaDataType: number | null
}> &
  StateTexts

export type Say = (key: string, values?: Record<string, string | number>) => string
/** `a`: the limit, or the lower end of a band; `b`: the upper end. */
type Test = { style: number; op: number; a: number; b: number | null }

const finest = 6

const testOf = ({ TriggerStyle, OperateSymbol, Limit, LimitValue, LimitValue2 }: AlarmFacts): Test | undefined => {
  const op = OperateSymbol ?? (Limit === 'low' ? Operator.below : Limit === 'high' ? Operator.above : undefined)
  if (op === undefined || typeof LimitValue !== 'number') return undefined
  if (op >= Operator.between && typeof LimitValue2 !== 'number') return undefined
  return { style: TriggerStyle ?? Style.value, op, a: LimitValue, b: LimitValue2 ?? null }
}

const meets = ({ op, a, b }: Test, value: number) =>
  [value === a, value !== a, value > a, value >= a, value < a, value <= a, value >= a && value <= b!, value < a || value > b!][op - 1]

const numberText = (value: number, language: Language, digits = finest) =>
  formatOf(language, { maximumFractionDigits: digits }, `at most ${digits}`).format(value)

/** Formats a value with its point's decimals, or with more if rounding would move it across a limit. */
const valueText = (
  value: number,
  test: Test | undefined,
  { ParaUnitName, DecimalDigits, ParaDataType, ...states }: AlarmFacts,
  say: Say,
  language: Language,
) => {
  if (ParaDataType === boolType) return stateText(value, states, say, (value) => numberText(value, language))
  const sideOf = (x: number) => `${Math.sign(x - (test?.a ?? x))} ${Math.sign(x - (test?.b ?? x))}`
  let digits = Math.min(DecimalDigits ?? 3, finest)
  while (digits < finest && sideOf(Number(value.toFixed(digits))) !== sideOf(value)) digits++
  return [numberText(value, language, digits), ...(ParaUnitName ? [ParaUnitName] : [])].join(' ')
}

/** The comparison: `limit < 3.9`. */
const termsOf = (test: Test, facts: AlarmFacts, say: Say, language: Language): string | undefined => {
  const [a, b] = [numberText(test.a, language), numberText(test.b ?? 0, language)]
  if (facts.ParaDataType === boolType) {
    // For a Bool, one of the two states raises the alarm, independent of the operator.
    const raising = [0, 1].filter((value) => meets(test, value))
    if (raising.length !== 1) return undefined
    const state = stateText(raising[0]!, facts, say)
    return test.style === Style.change ? say('alarm.terms.turn', { a: state }) : state
  }
  if (test.style !== Style.change) return say(`alarm.terms.${test.op}`, { a, b })
  const amount = ['=', '≠', '>', '≥', '<', '≤'].map((sign) => `${sign} ${a}`)
  return say('alarm.terms.change', { amount: [...amount, `${a}–${b}`, `< ${a}, > ${b}`][test.op - 1]! })
}

/** The two largest units of a duration: `1 min 37 s`. */
export const durationText = (seconds: number, say: Say): string => {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const
  const whole = Math.max(0, Math.round(seconds))
  const first = Math.max(
    0,
    units.findIndex(([, size]) => whole >= size),
  )
  const at = whole ? first : units.length - 1
  return units
    .slice(at, at + 2)
    .map(([unit, size], i) => ({ unit, count: Math.floor((i ? whole % units[at]![1] : whole) / size) }))
    .filter(({ count }, i) => i === 0 || count > 0)
    .map(({ unit, count }) => say(`alarm.duration.${unit}`, { n: count }))
    .join(' ')
}

const extremeText = (test: Test | undefined, facts: AlarmFacts, say: Say, language: Language): string | undefined => {
  const { ExtremeValue: extreme } = facts
  if (!test || typeof extreme !== 'number' || test.style === Style.change || facts.ParaDataType === boolType) return undefined
  const isLow = test.op === Operator.outside ? extreme < test.a : test.op >= Operator.below
  return say(isLow ? 'alarm.min' : 'alarm.max', { value: valueText(extreme, test, facts, say, language) })
}

/**
 * While active: the value and its comparison, `3.82 bar (limit < 3.9)`. Once cleared: the extreme and the duration,
 * `min 3.81 bar, 1 min 37 s`. Unknown parts are left out; empty if nothing is known. `seconds`: the duration; null while the alarm is
 * active, or if unknown.
 */
export const alarmSentence = (say: Say, language: Language, facts: AlarmFacts, seconds: number | null): string => {
  const test = testOf(facts)
  const terms = test && termsOf(test, facts, say, language)
  const silent = facts.TriggerStyle === Style.noData ? say('alarm.noData') : undefined
  if (facts.IsActive !== 0) {
    const value = facts.LastValue ?? facts.TriggerValue
    if (silent || typeof value !== 'number') return silent ?? ''
    const shown = valueText(value, test, facts, say, language)
    return terms && terms !== shown ? say('alarm.active', { value: shown, terms }) : shown
  }
  const what = silent ?? extremeText(test, facts, say, language) ?? terms
  const duration = seconds === null ? undefined : durationText(seconds, say)
  return what && duration ? say('alarm.over', { what, duration }) : (what ?? duration ?? '')
}
