import type { Span } from '../zone.ts'
import { day, hour, type Step } from './store.ts'

/** Guards every number on its way into SQL text. */
export const integer = (value: number) => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an integer`)
  return value
}

/** SQL that computes a row's bucket from `time`, the same as `keyOf` for hours and days; integer division of positive numbers. */
export const keySql = (step: Step, spans: readonly Span[], div = (a: string, b: number) => `(${a}) // ${b}`) => {
  if ('ms' in step) return div(`time - ${integer(step.origin)}`, integer(step.ms))
  const cases = spans.slice(1).map((span, i) => `when time < ${span.from} then ${spans[i]!.offset}`)
  const offset = cases.length ? `(case ${cases.join(' ')} else ${spans.at(-1)!.offset} end)` : `(${spans[0]!.offset})`
  return step.unit === 'day' ? div(`time + ${offset}`, day) : `${div(`time + ${offset}`, hour)} * ${hour} - ${offset}`
}
