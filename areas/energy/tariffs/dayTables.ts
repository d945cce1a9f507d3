import { allDays, holidays, quarterOf, type Season, timeOfUse } from './prices.ts'
import { quartersOfDay } from './quarterHours.ts'

/** Level and price of each quarter-hour of a day by the wall clock; prices in millionths of the currency for one unit. */
export type DayTable = { level: Uint8Array; price: BigInt64Array }

/** A tariff without times of use has one price all day, at the level flat. */
export const flat = 3
export const millionths = (price: number) => BigInt(Math.round(price * 1e6))

const allDay = (level: number, price: bigint): DayTable => ({
  level: new Uint8Array(quartersOfDay).fill(level),
  price: new BigInt64Array(quartersOfDay).fill(price),
})
const ofSeason = ({ Periods }: Season): DayTable => {
  const table = allDay(0, 0n)
  for (const { Start, End, Level, Price } of Periods) {
    table.level.fill(Level, quarterOf(Start), quarterOf(End))
    table.price.fill(millionths(Price), quarterOf(Start), quarterOf(End))
  }
  return table
}

/** Where a day's table lies: months count from 0. */
export const tableAt = (month: number, isHoliday: boolean) => month * 2 + Number(isHoliday)

/** The tables of a year: workdays and holidays of twelve months. */
export const dayTables = (type: number, base: bigint, seasons: readonly Season[]): DayTable[] => {
  const tables = new Array<DayTable>(24).fill(allDay(flat, base))
  if (type !== timeOfUse) return tables
  for (const season of seasons) {
    const table = ofSeason(season)
    for (const month of season.Months)
      for (const isHoliday of [false, true])
        if (season.Days === allDays || (season.Days === holidays) === isHoliday) tables[tableAt(month - 1, isHoliday)] = table
  }
  return tables
}
