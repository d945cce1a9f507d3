// The periods of entries: wall times of the company's zone.
import { isDay } from '../../../../contract/days.ts'
import { type Cycle, daily, hourly, monthly } from '../contract.ts'

/** How periods are written, by cycle, in PostgreSQL's words. */
export const written: Readonly<Record<Cycle, string>> = { 1: 'YYYY-MM-DD HH24:MI', 2: 'YYYY-MM-DD', 3: 'YYYY-MM' }
export const units: Readonly<Record<Cycle, string>> = { 1: 'hour', 2: 'day', 3: 'month' }

/** `2026-01`, `2026-1-31`, `2026/01/31 5:00`: the cycle, and the wall time at which it begins. Undefined: no such period. */
export const periodOf = (text: string): { cycle: Cycle; wall: string } | undefined => {
  const found = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::\d{2})?)?)?$/.exec(text.trim())
  if (!found) return undefined
  const [, year, month, day, hour, minute] = found as unknown as string[]
  const date = `${year}-${month!.padStart(2, '0')}-${(day ?? '1').padStart(2, '0')}`
  if (!isDay(date) || Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59) return undefined
  const cycle = day === undefined ? monthly : hour === undefined ? daily : hourly
  return { cycle, wall: `${date} ${(hour ?? '0').padStart(2, '0')}:${minute ?? '00'}:00` }
}

/** Entries before this date are rejected. */
export const firstWall = '2000-01-01 00:00:00'

/** Whether a wall time exists in the calendar. */
export const isWall = (text: string) => isDay(text.slice(0, 10)) && Number.isFinite(Date.parse(`${text.replace(' ', 'T')}Z`))
