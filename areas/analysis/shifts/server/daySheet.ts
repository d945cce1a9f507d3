// Parses holidays and make-up days from a sheet: one day per row, with a weekday for make-up days.
import type { Cell } from '../../../../contract/cell.ts'
import { csvLine, csvMark } from '../../../../contract/csv.ts'
import { isDay } from '../../../../contract/days.ts'
import { type Language, languages } from '../../../../contract/languages.ts'
import { packSheet } from '../../../../server/files/sheetPacker.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Waiting } from '../../../../server/jobs/boundedQueue.ts'
import { refuse } from '../../../system/imports/server/service.ts'
import { type DaysOfSheet, mostHolidays, mostMakeUps } from '../contract.ts'

/** 4 January 1970 was a Sunday, 1 on the wire. */
const weekdayText = (language: Language, weekday: number, length: 'short' | 'long') =>
  new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' }).format(new Date(Date.UTC(1970, 0, 3 + weekday)))
const plain = (text: string) => text.trim().toLowerCase().replace(/\.$/, '')
/** Weekdays by number and by name, in each language. */
const weekdaysByName = new Map(
  [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => [
    [String(weekday), weekday] as const,
    ...languages.flatMap((language) =>
      (['short', 'long'] as const).map((length) => [plain(weekdayText(language, weekday, length)), weekday] as const),
    ),
  ]),
)

const dayOfCell = (cell: Cell) => {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? undefined : cell.toISOString().slice(0, 10)
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(String(cell).trim()) ?? []
  const text = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  return isDay(text) ? text : undefined
}
const isEmpty = (cell: Cell | undefined) => cell === null || cell === undefined || String(cell).trim() === ''

/** Takes all rows or none. A first row of titles is left out. */
export const readDays = async (file: Buffer, language: Language, tenant: number): Promise<DaysOfSheet> => {
  const rows = await readSheet(file, tenant)
  const [holidays, makeUps] = [new Set<string>(), new Map<string, number>()]
  const wrong: Parameters<typeof refuse>[0][number][] = []
  for (const [i, [day = null, as = null]] of rows.entries()) {
    if (isEmpty(day) && isEmpty(as)) continue
    const [found, weekday] = [dayOfCell(day), isEmpty(as) ? null : weekdaysByName.get(plain(String(as)))]
    if (!found && i === 0 && !/^\d/.test(String(day ?? ''))) continue
    if (!found) wrong.push({ row: i + 1, field: 'Day', rule: 'noSuchDay', text: String(day ?? '').slice(0, 60) })
    else if (weekday === undefined) wrong.push({ row: i + 1, field: 'As', rule: 'noSuchWeekday', text: String(as).slice(0, 60) })
    else if (holidays.has(found) || makeUps.has(found)) wrong.push({ row: i + 1, field: 'Day', rule: 'dayTwice', text: found })
    else if (weekday === null) holidays.add(found)
    else makeUps.set(found, weekday)
  }
  if (wrong.length) refuse(wrong, language)
  if (!holidays.size && !makeUps.size) throw new Fault('sheetEmpty')
  if (holidays.size > mostHolidays || makeUps.size > mostMakeUps) throw new Fault('sheetTooLong', { max: mostHolidays })
  return { Holidays: [...holidays].sort(), MakeUps: [...makeUps].sort().map(([Day, As]) => ({ Day, As })) }
}

/** The columns, a holiday and a make-up day. */
export const dayTemplate = (language: Language, format: 'xlsx' | 'csv', person: Waiting) => {
  const header = [word(language, 'shift.sheet.day'), word(language, 'shift.sheet.as')]
  const rows = [
    ['2026-10-01', null],
    ['2026-10-10', weekdayText(language, 2, 'long')],
  ]
  if (format === 'xlsx') return packSheet(header, [rows], person)
  return Buffer.from(csvMark + [header, ...rows].map(csvLine).join(''))
}
