import type { DuckDBConnection } from '@duckdb/node-api'
import { serial } from '../../../jobs/serial.ts'
import type { Appended, Incoming, Store } from '../store.ts'
import { day, hour } from '../store.ts'
import { appendRows, findReplaced } from './append.ts'
import { Engine, type Entry, rowsOf } from './engine.ts'
import { freeingResults } from './freeResults.ts'
import { addMissingHolds } from './holds.ts'
import { type HotRanges, hotRanges } from './hotRanges.ts'
import { loadPast } from './load.ts'
import { mergeRange, mergeYears, planMerges } from './merge.ts'
import { queryBatcher } from './queryBatcher.ts'
import { bytesOfTimes, readHeldTimes } from './readHeldTimes.ts'
import { readMarks } from './readMarks.ts'
import { bytesOfRuns, readRuns } from './readRuns.ts'
import { bytesOfStretches, readStretches } from './readStretches.ts'
import { readColumns, readLatest, readPacked, readReturned, readRows } from './reads.ts'
import { retainRows } from './retain.ts'
import { bytesOfParts, segmentCache } from './segmentCache.ts'
import { closeHot, createHot, hotName } from './segments.ts'
import { arrivalsOf, readSince } from './since.ts'
import { takeSnapshot } from './snapshot.ts'

export type DuckDbOptions = {
  folder: string
  /** Epoch ms. */
  clock: () => number
  log: (problem: string, error: unknown) => void
  /** Rows after which the hot table becomes a segment. */
  hotRows?: number
  /** Late rows after which they are merged without waiting for the next day. */
  lateRows?: number
  /** Rows that are sorted at a time: what 512 MB hold, and less than half a second of both cores. */
  sliceRows?: number
}

const lateByDay = (db: DuckDBConnection) =>
  rowsOf<{ day: number; rows: number }>(db, `select (time // ${day})::double as day, count(*)::double as rows from late group by 1`)

/** What charts ask, and the same for long work by a connection of its own. */
const readingBy = (
  engine: Engine,
  ranges: HotRanges,
): Pick<Store, 'columns' | 'runLengths' | 'heldTimes' | 'buckets' | 'stretches' | 'marks' | 'aside'> => {
  const sources = { engine, segments: segmentCache(bytesOfParts), hotRanges: ranges }
  const cache = segmentCache(bytesOfStretches, 12 * 1024 * 1024)
  const runs = segmentCache(bytesOfRuns, 16 * 1024 * 1024)
  const by = (by: 'read' | 'aside'): Omit<Store['aside'], 'packed'> => ({
    columns: async (points, start, end) =>
      points.length ? readColumns(engine, points, start, end, { hot: ranges.touches(start, end), by }) : [],
    runLengths: async (points, start, end, cut) =>
      points.length ? readRuns({ engine, ranges, cache: runs, by }, points, { start, end, cut }) : [],
    buckets: queryBatcher({ ...sources, by }),
    stretches: (points, edges) => readStretches({ engine, ranges, cache, by }, points, edges),
    marks: async (points, start, end) => (points.length && end > start ? readMarks({ engine, ranges, by }, points, start, end) : []),
  })
  const free = freeingResults()
  const packed: Store['aside']['packed'] = async (points, start, end) => {
    const found = points.length ? await readPacked(engine, points, start, end, ranges.touches(start, end)) : []
    free(found.reduce((rows, { time }) => rows + time.length, 0))
    return found
  }
  const times = segmentCache(bytesOfTimes, 8 * 1024 * 1024)
  const heldTimes: Store['heldTimes'] = (...asked) => readHeldTimes({ engine, ranges, cache: times, free }, ...asked)
  return { ...by('read'), heldTimes, aside: { ...by('aside'), packed } }
}

const stateOf = (engine: Engine): Pick<Store, 'size' | 'memory' | 'ready' | 'close'> => ({
  size: () => engine.size(),
  memory: () => engine.memory(),
  ready: () => engine.ready().then(() => {}),
  close: () => engine.close(),
})

/** A day is closed this long after its end; what comes later is late. */
const grace = hour / 6

/**
 * Samples in DuckDB and Parquet (findings 1 to 5): an append-only hot table; a sorted segment every `hotRows` or hour; closed
 * UTC days, later months, as settled files with minute and quarter-hour roll-ups beside them.
 */
export const openDuckDbStore = async ({
  folder,
  clock,
  log,
  hotRows = 10_000_000,
  lateRows = 1_000_000,
  sliceRows = 2_000_000,
}: DuckDbOptions): Promise<Store> => {
  const engine = await Engine.open(folder, log)
  const ranges = hotRanges()
  const [inTurn, settling] = [serial(), serial()]

  const start = await engine.keep(async (db) => {
    const hot = await rowsOf<Entry>(db, `select * from manifest where kind = 'hot'`)
    for (const { file } of hot) {
      const span = `select min(time)::double as "start", max(time)::double + 1 as "end" from ${file}`
      const [{ start, end }] = (await rowsOf<{ start: number | null; end: number | null }>(db, span)) as [{ start: number; end: number }]
      if (start !== null) ranges.widen(file, start, end)
    }
    ranges.lateDays((await lateByDay(db)).map((late) => late.day))
    const tables = ['late', 'latest', 'counter', ...hot.map((entry) => entry.file)].map((table) => `select max(n) as n from ${table}`)
    const [last] = await rowsOf<{ n: number | null }>(db, `select max(n)::double as n from (${tables.join(' union all ')})`)
    const numbers = hot.map((entry) => Number(entry.file.slice(hotName('').length)))
    return { n: (last?.n ?? 0) + 1, number: Math.max(0, ...numbers) }
  })
  let { n, number } = start
  let hot = { table: '', rows: 0, opened: clock() }

  /** Appends go to a fresh table from here on. */
  const rotate = async () => {
    const next = { table: hotName(number + 1), rows: 0, opened: clock() }
    await engine.arrange((db) => createHot(db, ++number, next.opened))
    hot = next
  }
  await rotate()

  /** Days that end by then are closed. */
  const closedBefore = () => Math.floor((clock() - grace) / day) * day
  const settle = async (now?: 'now') => {
    if (hot.rows > 0 && (now || hot.rows >= hotRows || clock() - hot.opened >= hour)) await inTurn(rotate)
    const closed = closedBefore()
    const openFrom = now ? Number.MAX_SAFE_INTEGER : closed
    const state = () => engine.read(async (db, manifest) => ({ manifest, late: await lateByDay(db) }))
    for (const { kind, file } of (await state()).manifest) {
      if (kind !== 'hot' || file === hot.table) continue
      ranges.closing(file)
      await closeHot(engine, file, closed - day, sliceRows)
      ranges.closed(file)
    }
    const { manifest, late } = await state()
    ranges.lateDays(late.map((l) => l.day))
    const segments = manifest.filter((entry) => entry.kind === 'segment' && entry.end <= openFrom)
    const many = late.reduce((sum, { rows }) => sum + rows, 0) >= lateRows
    const days = now || many || segments.length ? [...late.map((l) => l.day), ...segments.map((s) => s.start / day)] : []
    for (const range of planMerges(manifest, [...new Set(days)], closed)) await mergeRange(engine, range, sliceRows)
    await mergeYears(engine, closed, sliceRows)
    await addMissingHolds(engine)
  }

  /** The rows are stored already: a look-up that fails must not look like a failed append. */
  const replacedBy = async (table: string, rows: readonly Incoming[], first: number, doubtful: readonly number[]) => {
    if (!doubtful.length) return []
    try {
      return await findReplaced(engine, table, rows, first, doubtful)
    } catch (error) {
      log('replaced readings could not be counted', error)
      return []
    }
  }

  return {
    append: (rows: readonly Incoming[], doubtful: readonly number[] = []): Promise<Appended> =>
      inTurn(async () => {
        const first = n
        // Numbers of a failed append are not used again: its commit may have happened all the same.
        n += rows.length
        const { table } = hot
        ranges.adding(table, rows)
        await engine.write((db) => appendRows(db, table, rows, first))
        hot.rows += rows.length
        if (hot.rows >= hotRows) void settling(settle).catch((error: unknown) => log('telemetry files could not be settled', error))
        return { first, replaced: await replacedBy(table, rows, first, doubtful) }
      }),
    read: (points, start, end, limit = 1_000_000) => readRows(engine, points, start, end, limit),
    ...readingBy(engine, ranges),
    latest: () => readLatest(engine),
    returned: async (points, believed) => (points.length ? readReturned(engine, points, believed) : []),
    since: (after, limit = 10_000) => readSince(engine, after, limit, n),
    ...arrivalsOf(engine, () => n),
    top: () => n - 1,
    load: (batches) => settling(() => loadPast(engine, batches, closedBefore(), sliceRows)),
    drop: (points) => retainRows(engine, [{ points, before: Number.POSITIVE_INFINITY }]),
    retain: (cutoffs) => retainRows(engine, cutoffs),
    settle: (now) => settling(() => settle(now)),
    snapshot: (folder, keep) => takeSnapshot(engine, folder, keep),
    ...stateOf(engine),
  }
}
