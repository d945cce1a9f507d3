// The grid of a ledger: its periods, and what people type and paste into it.

export type Cell = { Id: number; Time: string; Value: number | null }
export const keyOf = ({ Id, Time }: Pick<Cell, 'Id' | 'Time'>) => `${Id} ${Time}`

export const spans = ['day', 'month', 'year'] as const
/** What the grid shows: hours of a day, days of a month, months of a year. */
export type Span = (typeof spans)[number]
const lengths: Record<Span, number> = { day: 10, month: 7, year: 4 }
export const spanOf = (of: string): Span => spans.find((span) => lengths[span] === of.length) ?? 'month'
/** The same time in another span: the first month of a year, the year of a month. */
export const within = (of: string, span: Span) => `${of}-01-01`.slice(0, lengths[span])

const two = (n: number) => String(n).padStart(2, '0')
export const periodsOf = (of: string): string[] => {
  const span = spanOf(of)
  if (span === 'year') return Array.from({ length: 12 }, (_, i) => `${of}-${two(i + 1)}`)
  if (span === 'day') return Array.from({ length: 24 }, (_, i) => `${of} ${two(i)}:00`)
  const days = new Date(Date.UTC(Number(of.slice(0, 4)), Number(of.slice(5)), 0)).getUTCDate()
  return Array.from({ length: days }, (_, i) => `${of}-${two(i + 1)}`)
}
/** The span before or after. */
export const stepped = (of: string, by: 1 | -1) => {
  const span = spanOf(of)
  const at = new Date(`${within(of, 'day')}T00:00:00Z`)
  if (span === 'year') at.setUTCFullYear(at.getUTCFullYear() + by)
  else if (span === 'month') at.setUTCMonth(at.getUTCMonth() + by)
  else at.setUTCDate(at.getUTCDate() + by)
  return at.toISOString().slice(0, lengths[span])
}

/** A number as people type it, null for nothing; undefined for anything else, such as a comma in place of the point. */
export const numberIn = (text: string): number | null | undefined => {
  const plain = text.normalize('NFKC').trim()
  if (plain === '') return null
  return /^\d{1,12}(\.\d{1,9})?$/.test(plain) ? Number(plain) : undefined
}

/** What a sheet puts on the clipboard, from a cell on: rows down, columns to the right. What lies outside the grid is left out. */
export const pasted = (text: string, at: { row: number; column: number }, periods: readonly string[], columns: readonly number[]) =>
  text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .flatMap((line, down) =>
      line.split('\t').flatMap((cell, right) => {
        const [Time, Id] = [periods[at.row + down], columns[at.column + right]]
        return Time !== undefined && Id !== undefined ? [{ Time, Id, text: cell }] : []
      }),
    )
