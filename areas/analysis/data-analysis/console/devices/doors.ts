// From the stretches of a door to its openings. Pure.
import { timeText, wallToEpoch } from '../../../../../console/words/formats.ts'
import type { IoRun } from '../../../telemetry/contract.ts'

/** `seen`: the moment at which it opened is known; at the start of the range, or after a gap, the door was open already. */
export type Opening = { ParaId: number; start: number; end: number; seen: boolean; out: number }
/** Wall times of the company between which doors open as usual; an end before the start is on the next day. */
export type Hours = { from: string; to: string; weekend: boolean }

const dayMs = 86_400_000
const dayOf = (at: number, zone: string) => timeText(at, zone).slice(0, 10)
const dayAfter = (day: string, n: number) => new Date(Date.parse(`${day}T00:00:00Z`) + n * dayMs).toISOString().slice(0, 10)
const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

/** How much of a time lies outside of the usual hours, ms. */
export const outsideHours = ({ start, end }: { start: number; end: number }, { from, to, weekend }: Hours, zone: string) => {
  const last = dayOf(end, zone)
  let inside = 0
  for (let day = dayAfter(dayOf(start, zone), -1); day <= last; day = dayAfter(day, 1)) {
    if (!weekend && isWeekend(day)) continue
    const opens = wallToEpoch(`${day} ${from}:00`, zone)
    const closes = wallToEpoch(`${to > from ? day : dayAfter(day, 1)} ${to}:00`, zone)
    inside += Math.max(0, Math.min(end, closes) - Math.max(start, opens))
  }
  return end - start - inside
}

/** Stretches that are not 0, those that meet as one. */
export const openingsOf = (runs: readonly IoRun[], hours: Hours, zone: string): Opening[] => {
  const found: Omit<Opening, 'out'>[] = []
  for (const [i, { ParaId, Start, End, Value }] of runs.entries()) {
    if (!Value) continue
    const before = runs[i - 1]
    const last = found.at(-1)
    if (last && last.ParaId === ParaId && last.end === Start) last.end = End
    else found.push({ ParaId, start: Start, end: End, seen: before?.ParaId === ParaId && before.Value === 0 })
  }
  return found.map((opening) => ({ ...opening, out: outsideHours(opening, hours, zone) }))
}

export const doorSummary = (openings: readonly Opening[]) => ({
  count: openings.filter(({ seen }) => seen).length,
  longest: openings.toSorted((a, b) => b.end - b.start - (a.end - a.start))[0],
  outCount: openings.filter(({ out }) => out > 0).length,
  outMs: openings.reduce((sum, { out }) => sum + out, 0),
  last: openings.at(-1),
})

/** Openings by the hour of the day in which they began. */
export const byHour = (openings: readonly Opening[], zone: string) => {
  const hours = Array.from({ length: 24 }, () => 0)
  for (const { start, seen } of openings) if (seen) hours[Number(timeText(start, zone).slice(11, 13))]!++
  return hours
}
