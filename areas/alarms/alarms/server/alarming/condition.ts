import type { Condition } from './machine.ts'
import { every, from, last, next, none, type Span, upTo } from './span.ts'

/** Watch of one point. Values in the point's unit; a null limit is disabled. */
export type Watch = {
  point: number
  low: number | null
  high: number | null
  /** Width of the engineering range; null if unknown. */
  range: number | null
  /** Two-valued: without hysteresis, which a 0 or 1 could never pass. */
  binary?: boolean
  /** Time for which the condition must hold before the alarm is raised, ms. */
  raiseMs?: number
  /** Time for which the condition must be absent before the alarm clears, ms. */
  clearMs?: number
}

export const sides = ['low', 'high'] as const
export type Limit = (typeof sides)[number]

/** Hysteresis is 1 % of the engineering range (findings 11), otherwise of the limit, and at most half the distance to the other limit. */
const deadband = ({ low, high, range, binary }: Watch, limit: number) => {
  if (binary) return 0
  const width = (range !== null && range > 0 ? range : Math.abs(limit)) / 100
  return low !== null && high !== null ? Math.min(width, Math.max(0, high - low) / 2) : width
}

/** Whether the value is beyond the limit. */
export const beyond = (watch: Watch, side: Limit, value: number): boolean => {
  const limit = watch[side]
  return limit !== null && (side === 'high' ? value > limit : value < limit)
}

/** Whether the value is within the limit by more than the hysteresis. */
export const within = (watch: Watch, side: Limit, value: number): boolean => {
  const limit = watch[side]
  if (limit === null) return true
  const band = deadband(watch, limit)
  return side === 'high' ? value <= limit - band : value >= limit + band
}

/** The value that is further beyond the limit. */
export const furtherOf = (side: Limit, a: number, b: number) => (side === 'high' ? Math.max(a, b) : Math.min(a, b))

/** Range of values that keep one limit in its phase, and the extreme of its alarm. */
export const noChangeSpanOf = (watch: Watch, side: Limit, { phase, extreme }: Condition): Span => {
  const limit = watch[side]
  if (phase === 1 || phase === 3) return none
  if (limit === null) return phase === 0 ? every : none
  if (phase === 0) return side === 'high' ? upTo(limit) : from(limit)
  const band = deadband(watch, limit)
  return side === 'high' ? [next(limit - band), extreme ?? every[1]] : [extreme ?? every[0], last(limit + band)]
}
