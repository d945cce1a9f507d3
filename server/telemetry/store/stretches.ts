/** What consecutive readings of one point come to, those of one part of a range: the same as if each had been looked at. */
export type Stretch = {
  point: number
  /** Of its first and last reading, epoch ms. */
  firstAt: number
  lastAt: number
  /** Of its last reading. Null: it has none, and nothing holds beyond. */
  value: number | null
  quality: number
  /** Readings with a value, and all. */
  count: number
  rows: number
  uncertain: number
  min: number | null
  max: number | null
  sum: number
  first: number | null
  last: number | null
  /** Squared differences from the mean; values in thousandths. */
  squares: number
  amount: number
  /** Up to its last reading: value times ms, ms held, ms of good readings, ms other than 0. */
  integral: number
  held: number
  good: number
  on: number
  changes: number
}
export const stretchNames = [
  ...(['point', 'firstAt', 'lastAt', 'value', 'quality', 'count', 'rows', 'uncertain', 'min', 'max', 'sum', 'first', 'last'] as const),
  ...(['squares', 'amount', 'integral', 'held', 'good', 'on', 'changes'] as const),
] as const satisfies readonly (keyof Stretch)[]

/** How long a value of a point holds at most, ms, until a moment; the last one ends at Infinity. */
export type Holding = { point: number; most: readonly { until: number; ms: number }[] }
/** A piece of time in which single readings of a point must be looked at, and how many there should be. */
export type Unread = { point: number; start: number; end: number; rows: number }
export type Span = { start: number; end: number }
/** With more pieces of a point, one look at all of its readings is cheaper. */
export const mostUnread = 100
/** Stretches by point and time. Of `unknown` points more than `mostUnread` pieces must be looked at; `fresh` are days that are not settled. */
export type Stretches = { stretches: Stretch[]; unread: Unread[]; unknown: number[]; fresh: Span[] }

/** Columns in the order of `stretchNames`. */
export const stretchesOf = (table: (number | null)[][]): Stretch[] =>
  Array.from(
    { length: table[0]?.length ?? 0 },
    (_, i) => Object.fromEntries(stretchNames.map((name, c) => [name, table[c]![i]!])) as Stretch,
  )
