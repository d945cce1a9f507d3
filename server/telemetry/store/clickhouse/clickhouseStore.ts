import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { withoutPrototype } from '../../../../contract/prototypes.ts'
import { Fault } from '../../../http/faults.ts'
import { ownTurn } from '../../../jobs/ownTurn.ts'
import type { Sample, Stored } from '../../sample.ts'
import { offsets, startOfKey } from '../../zone.ts'
import { columnsOf, readingsOf, runLengthsOf } from '../columns.ts'
import { heldTimesBy } from '../heldTimes.ts'
import { integer, keySql } from '../key.ts'
import { marksOf } from '../marks.ts'
import { type Buckets, day, hour, type Incoming, quarter, readingsBehind, type Step, type Store } from '../store.ts'
import { openCluster, shardsOf } from './cluster.ts'
import { type Numbers, openNumbers } from './numbers.ts'
import { packedBy } from './packed.ts'
import { readStretches } from './readStretches.ts'
import { openReplicas } from './replicas.ts'
import { runLengthsSql } from './runLengths.ts'
import { optimize, prepare } from './tables.ts'

/** Answers a query with rows as arrays; 64-bit integers arrive as numbers. */
type Rows = (query: string) => Promise<(number | null)[][]>
/** A server, or the servers of a cluster (see `shardsOf`). `quorum`: a reading is stored when two servers of its shard have it. */
export type ClickHouseOptions = { database?: string; clock: () => number } & ({ url: string } | { cluster: string; quorum?: boolean })

/** A condition of so many pairs is sent at once; longer ones exceed what old servers parse. */
const pairsAtOnce = 5000
const settleMs = 50

const present = 'NOT isNaN(value)'
const condition = (points: readonly number[], start: number, end: number) =>
  `point IN (${points.map(integer).join(', ')}) AND time >= ${integer(start)} AND time < ${integer(end)}`
const valueOrNull = (sql: string) => `if(isNaN(${sql}), NULL, ${sql})`

/**
 * Samples in ClickHouse: a ReplacingMergeTree by (point, time) whose newest `n` holds. The SQL keeps to what releases from 18.16
 * on share (findings 6): no query parameters, DateTime64, codecs, TTL or window functions. Buckets come from the samples; there
 * are no roll-ups. Tested on 18.16.1; newer releases are untested. Inserts are synced to disk where the server can be asked to (20.10 and later).
 */
export const openClickHouseStore = async ({ database = 'penstock', clock, ...at }: ClickHouseOptions): Promise<Store> => {
  if (!/^\w+$/.test(database)) throw new Error(`"${database}" cannot be the name of a database.`)
  const numbers = openNumbers(clock)
  if ('url' in at) return openShard({ urls: [at.url], shard: 1, of: 1, database, clock, numbers })
  const shards = shardsOf(at.cluster)
  if (at.quorum && shards.some((urls) => urls.length < 3))
    throw new Error('A quorum needs at least three servers in each shard: with two, one that is away would stop it.')
  const each = { of: shards.length, database, clock, numbers, quorum: at.quorum }
  return openCluster(await Promise.all(shards.map((urls, i) => openShard({ urls, shard: i + 1, ...each }))), numbers)
}

/** Store of one shard. `put` inserts rows with given arrival numbers and returns the indices of replaced rows. */
export type Shard = Store & { put(rows: readonly Incoming[], numbers: readonly number[], doubtful: readonly number[]): Promise<number[]> }
type ShardOptions = {
  urls: string[]
  shard: number
  of: number
  database: string
  clock: () => number
  numbers: Numbers
  quorum?: boolean | undefined
}

/** Highest arrival number of a shard. As the first query, it reports connection errors. */
const topOf = (rows: Rows, from: string, urls: readonly string[]) =>
  rows(`SELECT max(n) FROM ${from}`).then(
    ([row]) => Number(row![0]),
    (error: Error) => {
      // Without the user and password that the address may hold.
      const hosts = urls.map((url) => new URL(url).host).join(', ')
      throw new Error(`ClickHouse at ${hosts} cannot be used: ${error instanceof Fault ? 'it does not answer.' : error.message}`)
    },
  )

const lineOf = ({ point, time, value, quality }: Sample, n: number, live: boolean) =>
  `${point}\t${time}\t${value ?? 'nan'}\t${quality}\t${n}\t${live ? 1 : 0}\n`

const openShard = async ({ urls, shard, of, database, clock, numbers, quorum = false }: ShardOptions): Promise<Shard> => {
  const replicas = openReplicas(urls, (client, url) => prepare(client, url, { database, shard, of, replicated: urls.length > 1 }))
  const from = `${database}.samples`
  const rowsBy =
    (kind: 'client' | 'aside'): Rows =>
    (query) =>
      replicas.ask(kind, async (by) => (await (await by.query({ query, format: 'JSONCompact' })).json<(number | null)[]>()).data)
  const rows = rowsBy('client')
  numbers.given(
    await topOf(rows, from, urls).catch(async (error) => {
      await replicas.close()
      throw error
    }),
  )
  /** One row per (point, time): the newest arrival. */
  const newest = (where: string) =>
    `SELECT point, time, argMax(value, n) AS v, argMax(quality, n) AS q, max(n) AS m FROM ${from} WHERE ${where} GROUP BY point, time`
  const stored = storedBy(rows)

  const clickhouse_settings = withoutPrototype(quorum ? { insert_quorum: '2' } : {})
  const insert = (lines: readonly string[]) =>
    replicas.ask('client', (by) =>
      by.insert({
        table: from,
        values: Readable.from([lines.join('')], { objectMode: false }),
        format: 'TabSeparated',
        clickhouse_settings,
      }),
    )
  const command = (query: string) => replicas.ask('client', (by) => by.command({ query }))

  const remove = async (where: string) => {
    for (const name of ['samples', 'latest']) await command(`ALTER TABLE ${database}.${name} DELETE WHERE ${where}`)
    const waiting = `SELECT count() FROM system.mutations WHERE database = '${database}' AND NOT is_done`
    while (Number((await rows(waiting))[0]![0])) await sleep(settleMs)
  }

  const put: Shard['put'] = async (incoming, given, doubtful) => {
    const replaced = doubtful.length ? await findReplaced(rows, from, incoming, doubtful) : []
    await insert(incoming.map((row, i) => lineOf(row, given[i]!, row.live)))
    return replaced
  }

  return {
    put,
    reserve: numbers.take,
    append: async (incoming, doubtful = [], first = numbers.take(incoming.length)) => {
      const given = incoming.map((_, i) => first + i)
      return { first, replaced: await put(incoming, given, doubtful) }
    },
    read: (points, start, end, limit = 1_000_000) =>
      stored(
        `SELECT point, time, ${valueOrNull('v')}, q, m FROM (${newest(condition(points, start, end))}) ORDER BY point, time LIMIT ${integer(limit)}`,
      ),
    ...readingBy(rows, newest),
    heldTimes: heldTimesBy(packedBy(replicas, (...range) => newest(condition(...range)), 'client')),
    aside: { ...readingBy(rowsBy('aside'), newest), packed: packedBy(replicas, (...range) => newest(condition(...range))) },
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
    ...arrivalsBy(rowsBy('aside'), from),
    top: numbers.top,
    load: async (batches) => {
      for await (const rows of batches) {
        await insert(rows.map((row) => lineOf(row, 0, false)))
      }
    },
    drop: (points) => (points.length ? remove(`point IN (${points.map(integer).join(', ')})`) : Promise.resolve()),
    // There are no roll-ups: what they would show comes from the readings, so these stay as long.
    retain: async (cutoffs) => {
      for (const { points, before, rollups = before } of cutoffs)
        if (points.length) await remove(condition(points, 0, Number.isFinite(rollups) ? rollups : Number.MAX_SAFE_INTEGER))
    },
    settle: async (now) => {
      if (now) await optimize(command, from)
    },
    size: async () => Number((await rows(`SELECT sum(bytes_on_disk) FROM system.parts WHERE database = '${database}' AND active`))[0]![0]),
    ready: () =>
      replicas.ask('probe', async (by) => {
        const { success } = await by.ping()
        if (!success) throw new Fault('unavailable')
      }),
    close: replicas.close,
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

/** Buckets of one query: parsing more of them at once would hold up other calls. */
const bucketsAtOnce = 20_000
/** Points of one query. */
const pointsAtOnce = (start: number, end: number, step: Step) => {
  const ms = 'ms' in step ? step.ms : step.unit === 'hour' ? hour : day
  return Math.max(1, Math.floor((bucketsAtOnce * ms) / Math.max(ms, end - start)))
}
const readBuckets = async (
  by: { rows: Rows; newest: (where: string) => string },
  ...[points, start, end, step, few]: Parameters<Store['buckets']>
): Promise<Buckets[]> => {
  const atOnce = pointsAtOnce(start, end, step)
  // Answers are in the order of points.
  const ordered = points.toSorted((a, b) => a - b)
  const answer: Buckets[] = []
  for (let i = 0; i < ordered.length; i += atOnce) {
    answer.push(...(await readSomeBuckets(by, ordered.slice(i, i + atOnce), start, end, step, few)))
    await ownTurn()
  }
  return answer
}

/** Buckets computed from the samples, and the readings themselves of points with few. */
const readSomeBuckets = async (
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
