// Stored, read back twice, against Sent and Acked. What is lost, double, torn or wrong is counted, not asserted: tests do that.
import { join } from 'node:path'
import type { Series } from '../../contract/telemetry.ts'
import { openDuckDbStore } from '../../server/telemetry/store/duckdb/duckdbStore.ts'
import type { Store } from '../../server/telemetry/store/store.ts'
import type { FrontDoor } from '../front-door.ts'
import { numberOf, type Senders } from './senders.ts'

/** One line of the table; counts are readings. */
export type Row = {
  fault: string
  rounds: number
  sent: number
  acked: number
  stored: number
  /** Acknowledged and not stored. */
  lost: number
  duplicated: number
  /** Messages of which some readings are stored. */
  torn: number
  /** Readings with another value or time than was sent. */
  wrong: number
  note: string
}
/** Counts of a fault that is not about readings. */
export const noReadings = { sent: 0, acked: 0, stored: 0, lost: 0, duplicated: 0, torn: 0, wrong: 0 }

declare module 'vitest' {
  interface TaskMeta {
    faults?: Row[]
  }
}
/** Puts a line into the table that the run ends with. */
export const enter = (task: { meta: { faults?: Row[] } }, row: Row) => {
  task.meta.faults = [...(task.meta.faults ?? []), row]
}

type Reading = { time: number; value: number | null }
/** Readings of some points with start <= time < end. */
export type Reader = (points: readonly number[], start: number, end: number) => Promise<Map<number, Reading[]>>

/** Through the public data API. */
export const byApi =
  (door: FrontDoor): Reader =>
  async (ParaIds, Start, End) => {
    const { Series } = await door.data<{ Series: Series[] }>('POST', '/DataCenter/ReportData/Data', {
      ParaIds,
      Start,
      End,
      Buckets: 10_000,
    })
    return new Map(
      Series.map((s) => {
        if (!s.Raw && s.Time.length) throw new Error('A page holds more than single readings.')
        return [s.ParaId, s.Time.map((time, i) => ({ time, value: s.Last[i] as number | null }))]
      }),
    )
  }
/** By SQL, from the store itself. */
export const byStore =
  (store: Pick<Store, 'read'>): Reader =>
  async (points, start, end) =>
    Map.groupBy(await store.read(points, start, end, 10_000_000), (row) => row.point)

/** Opens the files of a server that is not running. */
export const openFiles = (folder: string, clock = Date.now) =>
  openDuckDbStore({ folder: join(folder, 'telemetry', 'store'), clock, log: (problem, error) => console.error(problem, error) })

/** Entries per page: readings of one point. */
const page = 5000

export type Counts = Pick<Row, 'sent' | 'acked' | 'stored' | 'lost' | 'duplicated' | 'torn' | 'wrong'>

/** Counts what one reader finds of what these senders sent. */
export const tally = async ({ senders, base, stepMs, acked }: Senders, read: Reader): Promise<Counts> => {
  const counts: Counts = { sent: 0, acked: 0, stored: 0, lost: 0, duplicated: 0, torn: 0, wrong: 0 }
  const ackedOf = acked()
  for (const [g, { source, sent }] of senders.entries()) {
    const { points } = source
    const found = Array.from({ length: sent() }, () => 0)
    const add = (reading: Reading, index: number) => {
      const seq = reading.value === null ? -1 : (reading.value - index) / 16
      if (
        !Number.isInteger(seq) ||
        !(seq >= 0 && seq < found.length) ||
        reading.time !== base + seq * stepMs ||
        reading.value !== numberOf(seq, index)
      )
        return void counts.wrong++
      if (found[seq]! & (1 << index)) counts.duplicated++
      found[seq]! |= 1 << index
      counts.stored++
    }
    // A minute beyond both ends, to find readings that were stored at a wrong time.
    const border = 60_000
    const pages: [number, number][] = [[base - border, base]]
    for (let seq = 0; seq < found.length; seq += page) pages.push([base + seq * stepMs, base + Math.min(seq + page, found.length) * stepMs])
    pages.push([base + found.length * stepMs, base + found.length * stepMs + border])
    for (const [start, end] of pages) {
      const rows = await read(points, start, end)
      for (const [index, id] of points.entries()) {
        const readings = rows.get(id) ?? []
        readings.forEach((reading, i) => {
          if (i && readings[i - 1]!.time >= reading.time) counts.wrong++
          add(reading, index)
        })
      }
    }
    const whole = (1 << points.length) - 1
    counts.sent += found.length * points.length
    counts.acked += ackedOf[g]!.size * points.length
    for (const [seq, bits] of found.entries()) {
      if (bits && bits !== whole) counts.torn++
      if (ackedOf[g]!.has(seq)) for (let i = 0; i < points.length; i++) if (!(bits & (1 << i))) counts.lost++
    }
  }
  return counts
}

/** Of two ways to read, the worse count of each kind. */
export const worse = (a: Counts, b: Counts): Counts => ({
  ...a,
  stored: Math.min(a.stored, b.stored),
  lost: Math.max(a.lost, b.lost),
  duplicated: Math.max(a.duplicated, b.duplicated),
  torn: Math.max(a.torn, b.torn),
  wrong: Math.max(a.wrong, b.wrong),
})

/** What every fault must leave: nothing lost, double, torn or wrong, and everything sent is acknowledged in the end. */
export const flawless = (counts: Counts) => {
  const { sent, acked, stored, ...bad } = counts
  return { bad, missing: sent - acked, unstored: acked - Math.min(acked, stored) }
}
export const perfect = { bad: { lost: 0, duplicated: 0, torn: 0, wrong: 0 }, missing: 0, unstored: 0 }
