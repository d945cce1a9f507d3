// How meters write the values of their data identifiers.

/** One value of an answer. */
export type Part = {
  name: string
  /** Bytes on the line, low first. */
  bytes: number
  /** Of decimal digits: those behind the point. */
  decimals: number
  unit?: string
  /** The highest bit is a minus. */
  isSigned?: true
  /** A number of bits, not of decimal digits. */
  isBinary?: true
  /** A byte behind it names the unit (CJ/T 188). */
  hasUnit?: true
}
/** What a data identifier answers. */
export type MeterItem = { identifier: string; group: string; parts: readonly Part[]; isWritable?: true }

type More = Pick<Part, 'isSigned' | 'isBinary'>
export const part = (name: string, bytes: number, decimals = 0, unit?: string, more: More = {}): Part => ({
  ...{ name, bytes, decimals, ...(unit ? { unit } : {}) },
  ...more,
})
export const signed: More = { isSigned: true }
export const binary: More = { isBinary: true }

/** A list by identifier. */
export const listed = (items: readonly MeterItem[]): ReadonlyMap<string, MeterItem> => new Map(items.map((item) => [item.identifier, item]))

/** `count` identifiers in a row, from the first on. */
export const series = (first: string, count: number, of: (n: number) => string): [identifier: string, name: string][] =>
  Array.from({ length: count }, (_, i) => [
    (Number.parseInt(first, 16) + i).toString(16).toUpperCase().padStart(first.length, '0'),
    of(i + 1),
  ])
