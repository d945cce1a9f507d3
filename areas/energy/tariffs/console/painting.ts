// A day as it is painted: 96 quarter-hours with a level and a price.
import { clockOf, type Period, quarterOf, type Season } from '../prices.ts'
import { levels, quartersOfDay } from '../quarterHours.ts'

export type Quarter = { level: number; price: number }
export type Run = Quarter & { from: number; to: number }

export const quartersOfPeriods = (periods: readonly Period[]): Quarter[] => {
  const quarters = Array.from({ length: quartersOfDay }, (): Quarter => ({ level: 0, price: 0 }))
  for (const { Start, End, Level, Price } of periods)
    quarters.fill({ level: Level, price: Price }, quarterOf(Start), Math.max(quarterOf(Start), quarterOf(End)))
  return quarters
}

/** Equal neighbours as one. */
export const runsOf = (quarters: readonly Quarter[]): Run[] => {
  const runs: Run[] = []
  quarters.forEach((quarter, i) => {
    const last = runs.at(-1)
    if (last && last.level === quarter.level && last.price === quarter.price) last.to = i + 1
    else runs.push({ ...quarter, from: i, to: i + 1 })
  })
  return runs
}
/** Skips unpainted quarter-hours; validation reports the gap. */
export const periodsOf = (quarters: readonly Quarter[]): Period[] =>
  runsOf(quarters).flatMap(({ from, to, level, price }) =>
    level ? [{ Start: clockOf(from), End: clockOf(to), Level: level, Price: price }] : [],
  )

/** The price of a level, where the season has it. */
export const priceOf = (quarters: readonly Quarter[], level: number) => quarters.find((quarter) => quarter.level === level)?.price

/** Paints quarter-hours from `from` to `to`, both included, in either direction. */
export const paint = (quarters: readonly Quarter[], from: number, to: number, level: number, price: number): Quarter[] =>
  quarters.map((quarter, i) => (i >= Math.min(from, to) && i <= Math.max(from, to) ? { level, price } : quarter))

export const withPrice = (quarters: readonly Quarter[], level: number, price: number): Quarter[] =>
  quarters.map((quarter) => (quarter.level === level ? { level, price } : quarter))

const day = (...of: [level: number, hours: number][]): Quarter[] =>
  of.flatMap(([level, hours]) => Array.from({ length: hours * 4 }, () => ({ level, price: 0 })))
const months = (...of: number[]) => of
const everyMonth = months(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
const season = (Days: Season['Days'], Months: number[], quarters: Quarter[]): Season => ({ Months, Days, Periods: periodsOf(quarters) })

/** Tariff templates with all prices at 0. */
export const presets: Readonly<Record<string, readonly Season[]>> = {
  china: [
    season(0, months(7, 8), day([5, 2], [4, 6], [3, 2], [2, 1], [1, 2], [3, 1], [2, 1], [1, 2], [3, 1], [2, 4], [3, 2])),
    season(0, months(1, 2, 3, 4, 5, 6, 9, 10, 11, 12), day([5, 2], [4, 6], [3, 2], [2, 3], [3, 1], [2, 3], [3, 1], [2, 4], [3, 2])),
  ],
  spain: [season(1, everyMonth, day([4, 8], [3, 2], [2, 4], [3, 4], [2, 4], [3, 2])), season(2, everyMonth, day([4, 24]))],
  night: [season(0, everyMonth, day([4, 7], [2, 16], [4, 1]))],
}

export const levelsIn = (quarters: readonly Quarter[]) => levels.filter((level) => quarters.some((quarter) => quarter.level === level))
