import type { Driven } from './scene.ts'

/** How far what an item shows can be trusted. `none`: there is no reading yet, or its point is gone. */
export type Trust = 'good' | 'uncertain' | 'old' | 'bad' | 'none' | 'withheld'

/** Places in shares of a box; null is a gap. */
export type Places = readonly (readonly [x: number, y: number] | null)[]
/** A line over time, with what it says now. */
export type Curve = {
  name: string
  text: string
  unit: string
  places: Places
  /** The lowest and the highest, where a place stands for many readings: from left to right and back. */
  band?: readonly (readonly (readonly [x: number, y: number])[])[]
}
/** A row of a table, with where its value and limits lie in its range. */
export type TableRow = {
  name: string
  text: string
  unit: string
  trust: Trust
  share: number | null
  limits: readonly number[]
  alarm?: AlarmMark | undefined
  /** Of a row that lives: whether its value has just changed. */
  fresh?: boolean
}
export type AlarmRow = { name: string; device: string; age: string; mark: AlarmMark }

export type AlarmMark = { level: 1 | 2 | 3; unacknowledged: boolean; shelved: boolean }

/** What values make of an item. Without them it looks as it was drawn. */
export type Look = {
  /** What its bindings yield. Null: their value is missing, old or bad. */
  driven?: Partial<Record<Driven, number | string | null>>
  trust?: Trust
  /** Of a value: its text with the point's decimals, and its unit. */
  shown?: { text: string; unit: string }
  /** Of a value that lives: whether it has just changed. */
  fresh?: boolean
  /** Of an indicator: 0 to 1 of its range. Null: nobody knows. */
  share?: number | null
  /** Of an indicator: where the point's limits lie, 0 to 1. */
  limits?: readonly number[]
  /** Of an indicator: the last minutes, places in shares of the box. */
  trace?: Places
  /** Of a trend: its lines, the ends of its scale, and of its time. */
  curves?: readonly Curve[]
  axis?: { low: string; high: string; from: string; to: string }
  /** Of a table, and of a list of alarms. */
  rows?: readonly TableRow[]
  alarms?: readonly AlarmRow[]
  /** The placeholder while there is nothing to show. */
  note?: string
  alarm?: AlarmMark | undefined
  /** What hovering says, such as the age of a value. */
  title?: string
}

const order: readonly Trust[] = ['good', 'uncertain', 'old', 'bad', 'none', 'withheld']
export const worst = (a: Trust, b: Trust) => (order.indexOf(a) > order.indexOf(b) ? a : b)
/** Whether a value says what is now. */
export const isTrusted = (trust: Trust | undefined) => trust === undefined || trust === 'good' || trust === 'uncertain'

/** Whether two values of JSON say the same, in whatever order. */
export const isEqual = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  const names = Object.keys(a)
  const other = b as Record<string, unknown>
  return names.length === Object.keys(b).length && names.every((name) => isEqual((a as Record<string, unknown>)[name], other[name]))
}
/** Whether two looks paint the same. */
export const isAlike = (a: Look, b: Look) => isEqual(a, b)
