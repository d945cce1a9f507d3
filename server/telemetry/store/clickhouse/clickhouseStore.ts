import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { withoutPrototype } from '../../../../contract/prototypes.ts'
import { Fault } from '../../../http/faults.ts'
import type { Stored } from '../../sample.ts'
import { offsets, startOfKey } from '../../zone.ts'
import { columnsOf, readingsOf, runLengthsOf } from '../columns.ts'
import { integer, keySql } from '../key.ts'
import { marksOf } from '../marks.ts'
import { type Buckets, day, type Incoming, quarter, readingsBehind, type Store } from '../store.ts'
import { packedBy } from './packed.ts'
import { readStretches } from './readStretches.ts'
import { runLengthsSql } from './runLengths.ts'

/** Answers a query with rows as arrays; 64-bit integers arrive as numbers. */
type Rows = (query: string) => Promise<(number | null)[][]>
export type ClickHouseOptions = { url: string; database?: string; clock: () => number }

/** A condition of so many pairs is sent at once; longer ones exceed what old servers parse. */
const pairsAtOnce = 5000
/** Arrival numbers are the clock's ms times this plus a count, so that they grow across restarts and processes. */
const perMs = 1024
const settleMs = 50

/** NaN represents null: aggregate functions of all versions skip neither, and argMax would skip a null. */
const table = `point UInt64, time Int64, value Float64, quality UInt8, n UInt64, live UInt8`
const present = 'NOT isNaN(value)'
const condition = (points: readonly number[], start: number, end: number) =>
  `point IN (${points.map(integer).join(', ')}) AND time >= ${integer(start)} AND time < ${integer(end)}`
const valueOrNull = (sql: string) => `if(isNaN(${sql}), NULL, ${sql})`

const openClient = (url: string, max_open_connections: number) =>
  createClient(
    withoutPrototype({
      url,
      max_open_connections,
      request_timeout: 120_000,
      // Problems come back as errors; the client's own lines would bypass the log.
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 } as const,
    }),
  )

const openClients = (url: string) => ({
  client: openClient(url, 10),
  /** Long work asks here, one question after the other. */
  aside: openClient(url, 1),
  /** Asks whether the server is there past all that waits for the other's connections. */
  probe: createClient(withoutPrototype({ url, request_timeout: 10_000, max_open_connections: 1, log: { level: ClickHouseLogLevel.OFF } })),
})

/**
 * Samples in ClickHouse: a ReplacingMergeTree by (point, time) whose newest `n` holds. The SQL keeps to what releases from 18.16
 * on share (findings 6): no query parameters, DateTime64, codecs, TTL or window functions. Buckets come from the samples; there
 * are no roll-ups. Tested on 18.16.1; newer releases are untested. Inserts are synced to disk where the server can be asked to (20.10 and later).
 */
export const openClickHouseStore = async ({ url, database = 'penstock', clock }: ClickHouseOptions): Promise<Store> => {
  if (!/^\w+$/.test(database)) throw new Error(`"${database}" cannot be the name of a database.`)
  const { client, aside, probe } = openClients(url)
  const from = `${database}.samples`
  await prepare(client, database).catch((error: unknown) => {
    // Without the user and password that the address may hold.
    throw new Error(`ClickHouse at ${new URL(url).host} cannot be used: ${error instanceof Error ? error.message : error}`)
  })

  const rowsBy =
    (by: ClickHouseClient): Rows =>
    (query) =>
      reach(async () => (await (await by.query({ query, format: 'JSONCompact' })).json<(number | null)[]>()).data)
  const rows = rowsBy(client)
  /** One row per (point, time): the newest arrival. */
  const newest = (where: string) =>
    `SELECT point, time, argMax(value, n) AS v, argMax(quality, n) AS q, max(n) AS m FROM ${from} WHERE ${where} GROUP BY point, time`
  const stored = storedBy(rows)

  let n = Number((await rows(`SELECT max(n) FROM ${from}`))[0]![0])
  const takeNumbers = (amount: number) => {
    const first = Math.max(n + 1, clock() * perMs)
    n = first + amount - 1
    return first
  }

  const insert = (lines: readonly string[]) =>
    reach(() => client.insert({ table: from, values: Readable.from([lines.join('')], { objectMode: false }), format: 'TabSeparated' }))

  const remove = async (where: string) => {
    for (const name of ['samples', 'latest'])
      await reach(() => client.command({ query: `ALTER TABLE ${database}.${name} DELETE WHERE ${where}` }))
    const waiting = `SELECT count() FROM system.mutations WHERE database = '${database}' AND NOT is_done`
    while (Number((await rows(waiting))[0]![0])) await sleep(settleMs)
  }

  return {
    append: async (incoming, doubtful = []) => {
      const replaced = doubtful.length ? await findReplaced(rows, from, incoming, doubtful) : []
      const first = takeNumbers(incoming.length)
      const lines = incoming.map((r, i) => `${r.point}\t${r.time}\t${r.value ?? 'nan'}\t${r.quality}\t${first + i}\t${r.live ? 1 : 0}\n`)
      await insert(lines)
      return { first, replaced }
    },
    read: (points, start, end, limit = 1_000_000) =>
      stored(
        `SELECT point, time, ${valueOrNull('v')}, q, m FROM (${newest(condition(points, start, end))}) ORDER BY point, time LIMIT ${integer(limit)}`,
      ),
    ...readingBy(rows, newest),
    aside: { ...readingBy(rowsBy(aside), newest), packed: packedBy(aside, (...range) => newest(condition(...range)), reach) },
    latest: () =>
      stored(`SELECT point, tupleElement(r, 1), ${valueOrNull('tupleElement(r, 3)')}, tupleElement(r, 4), tupleElement(r, 2)
        FROM (SELECT point, argMax((time, n, value, quality), (time, n)) AS r FROM ${database}.latest GROUP BY point)`),
    returned: async (points, believed) => {
      if (!points.length) return []
      const some = `point IN (${points.map(integer).join(', ')}) AND live = 1 AND time > ${integer(clock() - 7 * day)}`
      const ahead = `SELECT point AS p, max(n) AS last FROM ${from} WHERE ${some} AND time > ${integer(believed)} GROUP BY point`
      return stored(`SELECT point, tupleElement(r, 1), ${valueOrNull('tupleElement(r, 3)')}, tupleElement(r, 4), tupleElement(r, 2)
        FROM (SELECT point, argMax((time, n, value, quality), (time, n)) AS r
          FROM (SELECT point, time, n, value, quality FROM ${from} WHERE ${some}) ANY INNER JOIN
            (SELECT p AS point, last FROM (${ahead})) USING point WHERE n > last GROUP BY point)`)
    },
    since: (after, limit = 10_000) =>
      stored(
        `SELECT point, time, ${valueOrNull('value')}, quality, n FROM ${from} WHERE n > ${integer(after)} AND live = 1 ORDER BY n LIMIT ${integer(limit)}`,
      ),
    ...arrivalsBy(rowsBy(aside), from),
    top: () => n,
    load: async (batches) => {
      for await (const rows of batches) {
        const lines = rows.map((r) => `${r.point}\t${r.time}\t${r.value ?? 'nan'}\t${r.quality}\t0\t0\n`)
        await insert(lines)
      }
    },
    drop: (points) => (points.length ? remove(`point IN (${points.map(integer).join(', ')})`) : Promise.resolve()),
    // There are no roll-ups: what they would show comes from the readings, so these stay as long.
    retain: async (cutoffs) => {
      for (const { points, before, rollups = before } of cutoffs)
        if (points.length) await remove(condition(points, 0, Number.isFinite(rollups) ? rollups : Number.MAX_SAFE_INTEGER))
    },
    settle: (now) => (now ? reach(() => client.command({ query: `OPTIMIZE TABLE ${from} FINAL` })).then(() => {}) : Promise.resolve()),
    size: async () => Number((await rows(`SELECT sum(bytes_on_disk) FROM system.parts WHERE database = '${database}' AND active`))[0]![0]),
    ready: async () => {
      const { success } = await probe.ping()
      if (!success) throw new Fault('unavailable')
    },
    close: async () => {
      await Promise.all([client.close(), aside.close(), probe.close()])
    },
  }
}

const storedBy =
  (by: Rows) =>
  async (query: string): Promise<Stored[]> =>
    (await by(query)).map(([point, time, value, quality, n]) => ({ point: point!, time: time!, value: value!, quality: quality!, n: n! }))

const arrivalsBy = (by: Rows, from: string): Pick<Store, 'arrivals' | 'arrived'> => ({
  arrivals: async (points, after, start, limit) => {
    if (!points.length) return []
    const where = `${condition(points, start, Number.MAX_SAFE_INTEGER)} AND n > ${integer(after)}`
    return storedBy(by)(
      `SELECT point, time, ${valueOrNull('value')}, quality, n FROM ${from} WHERE ${where} ORDER BY n LIMIT ${integer(limit)}`,
    )
  },
  arrived: async (points, after, start, end) => {
    if (!points.length) return { count: 0, earliest: null }
    const where = `${condition(points, start, end)} AND n > ${integer(after)}`
    const [[count, earliest] = []] = await by(`SELECT count(), min(time) FROM ${from} WHERE ${where}`)
    return { count: Number(count), earliest: count ? Number(earliest) : null }
  },
})

const readingBy = (rows: Rows, newest: (where: string) => string): Omit<Store['aside'], 'packed'> => ({
  columns: async (points, start, end) => {
    if (!points.length) return []
    const found = await rows(
      `SELECT point, time, ${valueOrNull('v')}, q FROM (${newest(condition(points, start, end))}) ORDER BY point, time`,
    )
    return readingsOf(Array.from({ length: 4 }, (_, column) => found.map((row) => row[column]!)))
  },
  runLengths: async (points, start, end, cut) => {
    if (!points.length) return []
    const ids = points.map(({ point }) => point)
    const found = await rows(runLengthsSql(newest(condition(ids, start, end)), points, cut))
    return runLengthsOf(Array.from({ length: 7 }, (_, column) => found.map((row) => row[column]!)))
  },
  buckets: (...range) => readBuckets({ rows, newest }, ...range),
  marks: async (points, start, end) => {
    if (!points.length || end <= start) return []
    const found = await rows(`
      SELECT point, intDiv(time, ${quarter}) * ${quarter} AS grain, min(v), max(v), argMin(v, time), argMax(v, time), count(), min(time), max(time)
      FROM (${newest(condition(points, start, end))}) WHERE NOT isNaN(v) GROUP BY point, grain ORDER BY point, grain`)
    return marksOf(Array.from({ length: 9 }, (_, column) => found.map((row) => row[column]!)))
  },
  stretches: (...asked) => readStretches(rows, (...range) => newest(condition(...range)), ...asked),
})

/** Asked before the insert: a merge in the background would take the older row away. */
const findReplaced = async (rows: Rows, from: string, incoming: readonly Incoming[], doubtful: readonly number[]) => {
  const key = (point: number, time: number) => `${point} ${time}`
  const known = new Set<string>()
  for (let i = 0; i < doubtful.length; i += pairsAtOnce) {
    const pairs = doubtful.slice(i, i + pairsAtOnce).map((d) => `(${integer(incoming[d]!.point)},${integer(incoming[d]!.time)})`)
    for (const [point, time] of await rows(`SELECT DISTINCT point, time FROM ${from} WHERE (point, time) IN (${pairs.join(',')})`))
      known.add(key(point!, time!))
  }
  const asked = new Set(doubtful)
  const replaced: number[] = []
  for (const [i, { point, time }] of incoming.entries()) {
    if (asked.has(i) && known.has(key(point, time))) replaced.push(i)
    known.add(key(point, time))
  }
  return replaced
}

/** Buckets computed from the samples, and the readings themselves of points with few. */
const readBuckets = async (
  { rows, newest }: { rows: Rows; newest: (where: string) => string },
  ...[points, start, end, step, few = 0]: Parameters<Store['buckets']>
): Promise<Buckets[]> => {
  const spans = 'unit' in step ? offsets(step.zone, start, end) : []
  const key = keySql(step, spans, (a, b) => `intDiv(${a}, ${b})`)
  const has = `countIf(${present})`
  const of = (aggregate: string) => `if(${has} = 0, NULL, ${aggregate})`
  const found = await rows(`
    SELECT point, ${key} AS key, ${of(`minIf(value, ${present})`)}, ${of(`maxIf(value, ${present})`)}, ${of(`avgIf(value, ${present})`)},
      ${of(`argMinIf(value, time, ${present})`)}, ${of(`argMaxIf(value, time, ${present})`)}, ${has}, count()
    FROM (SELECT point, time, v AS value FROM (${newest(condition(points, start, end))})) GROUP BY point, key ORDER BY point, key`)
  const columns = Array.from({ length: 9 }, (_, column) => found.map((row) => row[column]!))
  const answer = columnsOf(columns, (k) => ('ms' in step ? step.origin + k * step.ms : startOfKey(step.unit, spans, k)))
  const short = answer.filter((buckets) => readingsBehind(buckets) <= few)
  if (!short.length) return answer
  const theirs = condition(
    short.map(({ point }) => point),
    start,
    end,
  )
  const single = await rows(`SELECT point, time, ${valueOrNull('v')} FROM (${newest(theirs)}) ORDER BY point, time`)
  const byPoint = Map.groupBy(single, ([point]) => point!)
  return answer.map((buckets) => {
    if (!short.includes(buckets)) return buckets
    const mine = byPoint.get(buckets.point) ?? []
    return { ...buckets, readings: { time: mine.map(([, time]) => time!), value: mine.map(([, , value]) => value!) } }
  })
}

/** A server that cannot be reached, or is out of room, is "unavailable"; what is wrong with a query stays an error. */
const reach = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^\d+$/.test(error.code)) throw error
    throw new Fault('unavailable')
  }
}

const prepare = async (client: ClickHouseClient, database: string) => {
  const [row] = await (await client.query({ query: 'SELECT version() AS version', format: 'JSONEachRow' })).json<{ version: string }>()
  const [major, minor] = row!.version.split('.').map(Number) as [number, number]
  const synced = major > 20 || (major === 20 && minor >= 10) ? ' SETTINGS fsync_after_insert = 1' : ''
  const partition = `PARTITION BY toYYYYMM(toDateTime(intDiv(time, 1000), 'UTC'))`
  for (const query of [
    `CREATE DATABASE IF NOT EXISTS ${database}`,
    `CREATE TABLE IF NOT EXISTS ${database}.samples (${table}) ENGINE = ReplacingMergeTree(n) ${partition} ORDER BY (point, time)${synced}`,
    // The latest time of each point, maintained as rows arrive, so that a start needs no full scan.
    `CREATE TABLE IF NOT EXISTS ${database}.latest (${table}) ENGINE = ReplacingMergeTree(time) ORDER BY point`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.latest_feed TO ${database}.latest AS SELECT point, time, value, quality, n, live FROM ${database}.samples`,
  ])
    await client.command({ query })
}
