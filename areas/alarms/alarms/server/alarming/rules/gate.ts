// Active period of a rule: always, in windows of local time, or at the times of a cron expression.
import { Cron } from 'croner'
import { cronerOptions, forCroner } from '../../../../../../contract/cron.ts'
import { offsets } from '../../../../../../server/telemetry/zone.ts'

const day = 86_400_000
const minute = 60_000

export type Gate =
  | { kind: 'always' }
  | {
      kind: 'window'
      open(time: number): boolean /** The next moment after `time` at which it opens. */
      opening(time: number): number | undefined
      /** End of the window that is open at `time`; undefined if none is. */
      closing(time: number): number | undefined
    }
  | { kind: 'cron' /** The next fire after `time`. */; next(time: number): number | undefined }

export const always: Gate = { kind: 'always' }

/** Quartz expression in a time zone. Throws RangeError for an invalid one. */
export const cronGate = (expression: string, timezone: string): Gate => {
  const cron = new Cron(forCroner(expression), { ...cronerOptions, timezone, paused: true })
  return { kind: 'cron', next: (time) => cron.nextRun(new Date(time))?.getTime() }
}

/**
 * Epoch ms of a local time (given as if it were UTC). A time skipped by the clock maps to the end of the gap, so a window entirely
 * inside it does not occur that day. A repeated time maps to the first or the last occurrence, so a window gets longer, never shorter.
 */
export const instant = (zone: string, wall: number, which: 'first' | 'last'): number => {
  const spans = offsets(zone, wall - 2 * day, wall + 2 * day)
  const found = spans
    .map(({ from, offset }, i) => ({ time: wall - offset, from, until: spans[i + 1]?.from ?? Number.POSITIVE_INFINITY }))
    .filter(({ time, from, until }) => time >= from && time < until)
    .map(({ time }) => time)
  if (found.length) return which === 'first' ? Math.min(...found) : Math.max(...found)
  return spans.find(({ from, offset }) => wall < from + offset)!.from
}

export type Window = {
  zone: string
  /** `2026-03-29`, both included. */
  startDate?: string | undefined
  endDate?: string | undefined
  /** 1 = Sunday to 7 = Saturday; the day on which the window begins. */
  weeks?: readonly number[] | undefined
  /** Minutes after midnight; an end that is not after the start is on the next day. */
  start: number
  end: number
}

export const windowGate = (w: Window): Gate => {
  const first = w.startDate ? Date.parse(`${w.startDate}T00:00:00Z`) : Number.NEGATIVE_INFINITY
  const last = w.endDate ? Date.parse(`${w.endDate}T00:00:00Z`) : Number.POSITIVE_INFINITY
  const localDay = (time: number) =>
    Math.floor((time + offsets(w.zone, time, time + 1).findLast((s) => s.from <= time)!.offset) / day) * day
  const counts = (date: number) => date >= first && date <= last && (!w.weeks?.length || w.weeks.includes(new Date(date).getUTCDay() + 1))
  const opens = (date: number) => instant(w.zone, date + w.start * minute, 'first')
  const closes = (date: number) => instant(w.zone, date + w.end * minute + (w.end <= w.start ? day : 0), 'last')
  const covering = (time: number) => {
    const today = localDay(time)
    return [today - day, today].filter((date) => counts(date) && time >= opens(date) && time < closes(date))
  }
  return {
    kind: 'window',
    open: (time) => covering(time).length > 0,
    closing(time) {
      const dates = covering(time)
      return dates.length ? Math.max(...dates.map(closes)) : undefined
    },
    opening(time) {
      // A year and a leap day cover every weekday and date range.
      for (let date = Math.max(localDay(time), first), i = 0; i <= 366 && date <= last; i++, date += day)
        if (counts(date) && opens(date) > time) return opens(date)
      return undefined
    },
  }
}
