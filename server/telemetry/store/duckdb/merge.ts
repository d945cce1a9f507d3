import type { DuckDBConnection } from '@duckdb/node-api'
import { day, minute, quarter } from '../store.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import { enter, removeEntries, writeTemporary } from './segments.ts'
import { columns, combine, filesOf, newest, packed, parquet, rollColumns, settled, single, unpacked } from './sql.ts'

export type Range = { start: number; end: number }

const month = (time: number): Range => {
  const date = new Date(time)
  const at = (months: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
  return { start: at(0), end: at(1) }
}
const year = (time: number): Range => {
  const of = new Date(time).getUTCFullYear()
  return { start: Date.UTC(of, 0, 1), end: Date.UTC(of + 1, 0, 1) }
}
const within = (inner: Range, outer: Range) => inner.start >= outer.start && inner.end <= outer.end

/**
 * The ranges to merge: days with segments or late rows, each as the settled file that holds it, else as its month when that is
 * over, else alone; and months that are over but still lie in day files.
 */
export const planMerges = (manifest: readonly Entry[], days: readonly number[], closedBefore: number): Range[] => {
  const raw = manifest.filter((entry) => entry.kind === 'raw')
  const over = (range: Range) => range.end <= closedBefore
  const ranges = new Map<number, Range>()
  const add = (range: Range) => {
    const known = ranges.get(range.start)
    if (!known || known.end < range.end) ranges.set(range.start, { start: range.start, end: range.end })
  }
  for (const d of days) {
    const alone = { start: d * day, end: (d + 1) * day }
    add(over(month(alone.start)) ? month(alone.start) : (raw.find((entry) => within(alone, entry)) ?? alone))
  }
  for (const entry of raw) if (over(month(entry.start)) && !within(month(entry.start), entry)) add(month(entry.start))
  const all = [...ranges.values()].sort((a, b) => a.start - b.start)
  return all.filter((range) => !all.some((other) => other !== range && within(range, other)))
}

const roll = (rows: string, ms: number) =>
  `select point, key * ${ms} as time, min, max, sum, first, last, count, rows from (${combine(rows, `time // ${ms}`)})`

/**
 * One range becomes one raw file, one of minutes and one of quarter-hours: late rows and segments settle against what is there,
 * roll-ups are recomputed for every point and day that changed, and the points' latest readings are noted. One transaction.
 */
export const mergeRange = async (engine: Engine, range: Range) => {
  const gone = await engine.keep(async (db) => {
    const manifest = await rowsOf<Entry>(db, 'select * from manifest')
    const of = (kind: Entry['kind'], { start, end }: Range = range) => filesOf(manifest, [kind], start, end)
    const inRange = `time >= ${range.start} and time < ${range.end}`
    await db.run(
      `create or replace temp table fresh as ${newest(
        `select ${columns} from late where ${inRange} union all ${settled(engine, of('segment'), 'true')}`,
      )}`,
    )
    await db.run(`create or replace temp table touched as select distinct point, time // ${day} as day from fresh`)
    const isTouched = `(point, time // ${day}) in (select (point, day) from touched)`

    const kept = `select ${columns} from (${settled(engine, of('raw'), 'true')}) anti join fresh using (point, time)`
    const raw = await writeTemporary(engine, db, `${kept} union all select ${columns} from fresh order by point, time`)

    const rolled = (old: readonly string[], from: string, ms: number) => `
      ${settled(engine, old, `not ${isTouched}`, rollColumns, `(${single('select * from late')})`)}
      union all select ${packed} from (${roll(`select * from (${from}) where ${isTouched}`, ms)}) order by point, time`
    const minutes = await writeTemporary(engine, db, rolled(of('minute'), single(`select * from ${parquet(engine, [raw])}`), minute))
    // Quarter-hours may lie in a year's file already; it is written anew as a whole.
    const quarters = manifest.filter((entry) => entry.kind === 'quarter' && entry.start < range.end && entry.end > range.start)
    const wide = { start: Math.min(range.start, ...quarters.map((q) => q.start)), end: Math.max(range.end, ...quarters.map((q) => q.end)) }
    const quarterRows = rolled(
      quarters.map((q) => q.file),
      `select ${unpacked} from ${parquet(engine, [minutes])}`,
      quarter,
    )
    const quarterFile = await writeTemporary(engine, db, quarterRows)

    await noteLatest(db)
    const old = [...of('segment'), ...of('raw'), ...of('minute'), ...quarters.map((q) => q.file)]
    await removeEntries(db, old)
    await db.run(`delete from late where ${inRange}`)
    await enter(engine, db, 'raw', raw, range)
    await enter(engine, db, 'minute', minutes, range)
    await enter(engine, db, 'quarter', quarterFile, wide)
    await db.run('drop table fresh; drop table touched')
    return old
  })
  engine.discard(gone)
}

const noteLatest = async (db: DuckDBConnection) => {
  const all = `select point, time, value, quality, n from latest semi join fresh using (point)
    union all select point, time, value, quality, n from fresh`
  await db.run(`create or replace temp table newer as
    select unnest(arg_max(struct_pack(point, time, value, quality, n), (time, n))) from (${all}) group by point`)
  await db.run('delete from latest where point in (select point from newer); insert into latest select * from newer; drop table newer')
}

/** Quarter-hours of a year that is over move into one file. */
export const mergeYears = async (engine: Engine, closedBefore: number) => {
  const gone = await engine.keep(async (db) => {
    const entries = await rowsOf<Entry>(db, `select * from manifest where kind = 'quarter' order by start`)
    const years = Map.groupBy(entries, (entry) => year(entry.start).start)
    const old: string[] = []
    for (const [start, parts] of years) {
      const range = year(start)
      if (parts.length < 2 || range.end > closedBefore) continue
      const files = parts.map((part) => part.file)
      const file = await writeTemporary(engine, db, `${settled(engine, files, 'true', rollColumns)} order by point, time`)
      await removeEntries(db, files)
      await enter(engine, db, 'quarter', file, range)
      old.push(...files)
    }
    return old
  })
  engine.discard(gone)
}
