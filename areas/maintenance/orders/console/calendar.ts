// Entries of the calendar of plans and orders. Pure.
import { dayNumber, dayOf } from '../../../../contract/days.ts'

export type Entry = {
  key: string
  day: string
  title: string
  /** `plan`: future date of a plan without an order; `forecast`: expected date of a counter step. */
  kind: 'repair' | 'upkeep' | 'patrol' | 'plan' | 'forecast'
  status?: number
  isOpen: boolean
  count: number
  person: string | null
  to?: string
}
export type View = 'month' | 'week'

/** Sunday is 0; weeks begin on Monday. */
const weekday = (key: number) => (((key + 3) % 7) + 7) % 7
/** Days of the page that shows a day, in whole weeks. */
export const daysAround = (day: string, view: View): string[] => {
  const key = dayNumber(day)
  const first = view === 'week' ? key : dayNumber(`${day.slice(0, 8)}01`)
  const start = first - weekday(first)
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const last = view === 'week' ? key : Date.UTC(year, month, 0) / 86_400_000
  const weeks = Math.floor((last - start) / 7) + 1
  return Array.from({ length: weeks * 7 }, (_, i) => dayOf(start + i))
}
/** The same day of another month (or its last day) or week. */
export const moved = (day: string, by: number, view: View): string => {
  if (view === 'week') return dayOf(dayNumber(day) + 7 * by)
  const at = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + by, 1))
  const length = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  return dayOf(at.getTime() / 86_400_000 + Math.min(Number(day.slice(8)), length) - 1)
}

/** Day that an arrow key leads to; undefined for other keys. */
export const keyed = (key: string, day: string, view: View): string | undefined => {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
  if (key in steps) return dayOf(dayNumber(day) + steps[key]!)
  if (key === 'PageUp' || key === 'PageDown') return moved(day, key === 'PageUp' ? -1 : 1, view)
  const start = dayNumber(day) - weekday(dayNumber(day))
  return key === 'Home' ? dayOf(start) : key === 'End' ? dayOf(start + 6) : undefined
}

export type Load = { person: string | null; open: number; planned: number; done: number }
/** Orders by person: open, planned and done. */
export const loadOf = (entries: readonly Entry[]): Load[] =>
  [...Map.groupBy(entries, (entry) => entry.person)]
    .map(([person, of]) => {
      const sum = (keep: (entry: Entry) => boolean) => of.reduce((n, entry) => n + (keep(entry) ? entry.count : 0), 0)
      const isPlan = ({ kind }: Entry) => kind === 'plan' || kind === 'forecast'
      return { person, planned: sum(isPlan), open: sum((e) => !isPlan(e) && e.isOpen), done: sum((e) => !isPlan(e) && !e.isOpen) }
    })
    .toSorted((a, b) => b.open + b.planned - a.open - a.planned)
