// Delivers readings to a third party and moves its cursor with each acknowledgement.
import { sql } from 'kysely'
import type { ClientCertificate } from '../../../../server/channels/dial.ts'
import type { Within } from '../../../../server/channels/outbound.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { eachReading, statistics } from '../contract.ts'
import type { Due } from './accesses.ts'
import type { SentPoint, SentReading } from './format.ts'
import { openIntervals } from './intervals.ts'
import { delivered, type Sending } from './outcome.ts'
import { accessCertificate, accessSecret } from './routes.ts'
import { openWay, type Way } from './targets.ts'

/** Readings per page: each page scans every file that may have some, and becomes objects in one go. Time per turn of one access, ms. */
const [pageSize, turnMs] = [5000, 30_000]

/** Minimum time between two saves of a cursor, ms. */
const stepMs = 250

/** Sends readings in batches, several in flight where the transport keeps their order. `taken` is called with the progress. */
const deliver = async (way: Way, readings: readonly SentReading[], taken: (upTo: number, count: number) => Promise<unknown>) => {
  const sent: { upTo: number; outcome: Promise<Sending> }[] = []
  let [from, arrived, told, toldAt] = [0, 0, 0, performance.now()]
  const tell = async () => {
    if (arrived > told) await taken(arrived, arrived - told)
    ;[told, toldAt] = [arrived, performance.now()]
  }
  try {
    for (;;) {
      for (; sent.length < way.atOnce && from < readings.length; from += way.most) {
        const some = readings.slice(from, from + way.most)
        const outcome = way.send(some, from)
        // Results after a failure do not matter.
        outcome.catch(() => undefined)
        sent.push({ upTo: from + some.length, outcome })
      }
      const first = sent.shift()
      if (!first) return delivered
      const outcome = await first.outcome
      if (outcome.fault) return outcome
      arrived = first.upTo
      if (performance.now() - toldAt > stepMs) await tell()
    }
  } finally {
    await tell()
  }
}

export type DeliveryNeeds = {
  vault: Pick<Vault, 'get'>
  telemetry: Pick<Telemetry, 'read' | 'latest' | 'arrivals' | 'arrived' | 'top'>
  allowed: Within['allowed']
  clock: () => number
}
export const openDeliveries = (db: Db, { vault, telemetry, allowed, clock }: DeliveryNeeds) => {
  const { read, latest, arrivals, arrived, top } = telemetry
  /** Pages are read one at a time, and tenants take turns: several at once would hold up the event loop. */
  const inTurn = boundedQueue({ concurrency: 1, backlog: Number.POSITIVE_INFINITY })

  const wayOf = async (due: Due): Promise<Way> => {
    const secret = (await vault.get(due.EnterpriseId, accessSecret(due.Id))) || undefined
    const sealed = await vault.get(due.EnterpriseId, accessCertificate(due.Id))
    const certificate = sealed ? (JSON.parse(sealed) as ClientCertificate) : undefined
    return openWay({ ...due, secret, certificate, clock, within: { allowed, tenant: due.EnterpriseId } })
  }
  const count = (Id: number, sent: number, cursor?: number) =>
    db.rows(sql`
      update third_party_access set "Sent" = "Sent" + ${sent}, "LastTime" = ${new Date(clock())}, "Cursor" = coalesce(${cursor ?? null}, "Cursor") where "Id" = ${Id}`)

  const sendIntervals = openIntervals({
    ...{ read, clock, turnMs, openWay: wayOf, deliver },
    moved: (Id, sent, cursor) =>
      sent ? count(Id, sent, cursor) : db.rows(sql`update third_party_access set "Cursor" = ${cursor} where "Id" = ${Id}`),
  })
  const sendLatest = async (due: Due, points: readonly SentPoint[]): Promise<Sending | undefined> => {
    const readings = points.flatMap((point): SentReading[] => {
      const { time, value, quality } = latest.get(point.Id) ?? {}
      return time !== undefined && typeof value === 'number' && Number.isFinite(value)
        ? [{ point, time, value, quality: quality ?? 0 }]
        : []
    })
    if (!readings.length) return undefined
    const way = await wayOf(due)
    return deliver(way, readings, (_, sent) => count(due.Id, sent)).finally(way.close)
  }
  /** Sends each reading from the cursor on; the cursor moves with every delivered batch. 'more': the turn ended before the last reading. */
  const sendEach = async (due: Due, points: readonly SentPoint[]): Promise<Sending | 'more' | undefined> => {
    const byId = new Map(points.map((point) => [point.Id, point]))
    const ids = [...byId.keys()]
    const end = performance.now() + turnMs
    const readFrom = (n: number) => {
      const page = inTurn(() => arrivals(ids, n, due.LostBefore, pageSize), { key: due.EnterpriseId })
      page.catch(() => undefined)
      return page
    }
    let way: Way | undefined
    let next = readFrom(due.Cursor ?? 0)
    try {
      for (;;) {
        const rows = await next
        const last = rows.at(-1)
        if (!last) return way && delivered
        way ??= await wayOf(due)
        const isMore = rows.length === pageSize
        // Prefetches the next page while this one is sent.
        if (isMore) next = readFrom(last.n)
        await ownTurn()
        const readings = rows.map(({ point, time, value, quality }) => ({ point: byId.get(point)!, time, value, quality }))
        const outcome = await deliver(way, readings, (upTo, sent) => count(due.Id, sent, rows[upTo - 1]!.n))
        if (outcome.fault) return outcome
        if (!isMore) return delivered
        if (performance.now() > end) return 'more'
      }
    } finally {
      way?.close()
    }
  }
  /** Counts the backlog after a failed or unfinished delivery; it is zero otherwise. */
  const backlogOf = async ({ Id, Mode, LostBefore }: Due, points: readonly SentPoint[], outcome: Sending | 'more' | undefined) => {
    if (Mode < eachReading || (outcome !== 'more' && !outcome?.fault)) return { count: 0, earliest: null }
    const [{ Cursor } = { Cursor: 0 }] = await db.rows<{ Cursor: number | null }>(
      sql`select "Cursor" from third_party_access where "Id" = ${Id}`,
    )
    if (Mode === statistics) return { count: 0, earliest: Cursor }
    return arrived(
      points.map((point) => point.Id),
      Cursor ?? 0,
      LostBefore,
      Number.MAX_SAFE_INTEGER,
    )
  }
  /** Sets the initial cursor: delivery starts with the next reading. */
  const begin = ({ Id, Mode, Period }: Due) => {
    const first = Mode === statistics ? Math.floor(clock() / (Period * 1000)) * Period * 1000 : top()
    return db.rows(sql`update third_party_access set "Cursor" = ${first} where "Id" = ${Id} and "Cursor" is null`)
  }

  return {
    backlogOf,
    /** Undefined if there was nothing to send. */
    send: async (due: Due, points: readonly SentPoint[]): Promise<Sending | 'more' | undefined> => {
      if (due.Mode < eachReading) return sendLatest(due, points)
      if (due.Cursor !== null) return due.Mode === statistics ? sendIntervals(due, points) : sendEach(due, points)
      await begin(due)
    },
  }
}
