import type { Incoming } from '../store.ts'
import { day } from '../store.ts'

type Span = { start: number; end: number }

/**
 * The time ranges of rows in tables, which no file holds yet. Never too narrow, so a read outside of them skips the tables. Days of late
 * rows are set now and then; until then, what became late counts with the whole range of its table.
 */
export const hotRanges = () => {
  const hot = new Map<string, Span>()
  let late: Span[] = []
  const widen = (table: string, start: number, end: number) => {
    const span = hot.get(table)
    if (!span) hot.set(table, { start, end })
    else {
      span.start = Math.min(span.start, start)
      span.end = Math.max(span.end, end)
    }
  }
  const spans = () => [...hot.values(), ...late]
  return {
    widen,
    /** Before rows are appended to a hot table. */
    adding: (table: string, rows: readonly Incoming[]) => {
      let [start, end] = [Number.POSITIVE_INFINITY, 0]
      for (const { time } of rows) {
        if (time < start) start = time
        if (time >= end) end = time + 1
      }
      widen(table, start, end)
    },
    /** Before a hot table is closed: some of its rows may be late ones then. */
    closing: (table: string) => late.push(...(hot.has(table) ? [hot.get(table)!] : [])),
    closed: (table: string) => hot.delete(table),
    /** The UTC days there are late rows of. */
    lateDays: (days: readonly number[]) => {
      late = days.map((d) => ({ start: d * day, end: (d + 1) * day }))
    },
    spans,
    touches: (start: number, end: number) => spans().some((span) => span.start < end && span.end > start),
  }
}
export type HotRanges = ReturnType<typeof hotRanges>
