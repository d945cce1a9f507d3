import type { DuckDBConnection } from '@duckdb/node-api'
import { day, minute, quarter } from '../store.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import { holdColumns, holdsOf, sparseHoldsOf } from './holds.ts'
import { noteLatest, registerSegment, removeEntries, writeTemporary } from './segments.ts'
import { inSlice, type Slice, slicesOf } from './slices.ts'
import { byBucket, columns, combine, filesOf, newest, packed, parquet, rollColumns, settled, single, unpacked } from './sql.ts'

export type Range = { start: number; end: number }

export const month = (time: number): Range => {
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
const sparseRoll = (rows: string, ms: number) => byBucket(rows, ms, rollColumns, (some) => roll(some, ms))

/** The newest arrival of each point and time. Few times have several, and only these are compared. */
const freshOf = (rows: string) => `
  select ${columns} from (${rows}) anti join again using (point, time)
  union all select ${columns} from (${newest(`select * from (${rows}) semi join again using (point, time)`)})`

/** Whether few readings of a file lie after the beginning of their bucket. */
const isSparse = async (engine: Engine, db: DuckDBConnection, file: string, ms: number) => {
  const [count] = await rowsOf<{ after: number; all: number }>(
    db,
    `select count(*) filter (time % ${ms} <> 0)::double as after, count(*)::double as all from ${parquet(engine, [file])}`,
  )
  return count!.after * 4 < count!.all
}

type Inputs = { range: Range; segments: string[]; raw: string[]; minutes: string[]; quarters: string[]; holds: string[] }

/** Writes the raw, minute and quarter-hour rows of a slice to temporary files. */
const mergeSlice = async (
  engine: Engine,
  db: DuckDBConnection,
  { range, segments, raw, minutes, quarters, holds }: Inputs,
  slice: Slice,
) => {
  const here = inSlice(slice)
  await engine.yieldToReads()
  const late = `select ${columns} from late where time >= ${range.start} and time < ${range.end} and ${here}`
  const arrived = `${late} union all ${settled(engine, segments, here)}`
  await db.run(`create or replace temp table again as select point, time from (${arrived}) group by point, time having count(*) > 1`)
  await db.run(`create or replace temp table fresh as ${freshOf(arrived)}`)
  await db.run(`create or replace temp table touched as select distinct point, time // ${day} as day from fresh`)
  // Where retention has taken the readings and left the roll-ups, what comes late is added to them.
  await db.run(`create or replace temp table bereft as select * from touched anti join
    (select distinct point, time // ${day} as day from (${settled(engine, raw, here, 'point, time')})) using (point, day)`)
  const isTouched = `(point, time // ${day}) in (select (point, day) from touched)`

  // In a range without files, all is touched.
  const ofTouched = raw.length || minutes.length || quarters.length ? `where ${isTouched}` : ''

  const kept = `select ${columns} from (${settled(engine, raw, here)}) anti join fresh using (point, time)`
  const newRaw = await writeTemporary(engine, db, `${kept} union all select ${columns} from fresh order by point, time`)
  const sparse = await isSparse(engine, db, newRaw, quarter)
  const rolled = (old: readonly string[], from: string, ms: number, of: typeof roll) => `
    ${settled(engine, old, `${here} and not ${isTouched}`, rollColumns, `(${single('select * from late')})`)}
    union all select ${packed} from (${of(`select * from (${from}) ${ofTouched}`, ms)}) order by point, time`
  const left = settled(
    engine,
    minutes,
    `(point, time // ${day}) in (select (point, day) from bereft)`,
    unpacked,
    `(${single('select * from late')})`,
  )
  const fromReadings = `${single(`select * from ${parquet(engine, [newRaw])}`)} union all ${left}`
  const newMinutes = await writeTemporary(engine, db, rolled(minutes, fromReadings, minute, sparse && !minutes.length ? sparseRoll : roll))
  const fromMinutes = `select ${unpacked} from ${parquet(engine, [newMinutes])}`
  const newQuarters = await writeTemporary(engine, db, rolled(quarters, fromMinutes, quarter, sparse ? sparseRoll : roll))
  // Of days without readings what was known of them stays.
  const settledRows = parquet(engine, [newRaw])
  const bare = holds.length
    ? `union all select ${holdColumns} from ${parquet(engine, holds)}
       where ${here} and (point, time // ${day}) not in (select (point, time // ${day}) from ${settledRows})`
    : ''
  const withHolds = `select * from (${(sparse ? sparseHoldsOf : holdsOf)(`select ${columns} from ${settledRows}`)}) ${bare} order by point, time`
  const newHolds = await writeTemporary(engine, db, withHolds)
  await noteLatest(db, 'select * from fresh')
  await db.run('drop table again; drop table fresh; drop table touched; drop table bereft')
  return { raw: newRaw, minutes: newMinutes, quarters: newQuarters, holds: newHolds }
}

/**
 * One range becomes raw files, minutes and quarter-hours, cut by points: late rows and segments settle against what is there,
 * roll-ups are recomputed for every point and day that changed, and the points' latest readings are noted. One transaction.
 */
export const mergeRange = async (engine: Engine, range: Range, sliceRows: number) =>
  engine.discard(await engine.keep((db) => mergeIn(engine, db, range, sliceRows)))

/** The same within a transaction of the caller; answers the files to discard after it. */
export const mergeIn = async (engine: Engine, db: DuckDBConnection, range: Range, sliceRows: number) => {
  const manifest = await rowsOf<Entry>(db, 'select * from manifest')
  const of = (kind: Entry['kind']) => filesOf(manifest, [kind], range.start, range.end)
  const inputs = { range, segments: of('segment'), raw: of('raw'), minutes: of('minute'), quarters: of('quarter'), holds: of('hold') }
  const inRange = `time >= ${range.start} and time < ${range.end}`
  const files = settled(engine, [...inputs.segments, ...inputs.raw], 'true', 'point')
  const outputs = []
  for (const slice of await slicesOf(db, `select point from late where ${inRange} union all ${files}`, sliceRows))
    outputs.push(await mergeSlice(engine, db, inputs, slice))
  // Quarter-hours may already be in a year's files, which are then rewritten as a whole.
  const quarters = manifest.filter((entry) => inputs.quarters.includes(entry.file))
  const wide = { start: Math.min(range.start, ...quarters.map((q) => q.start)), end: Math.max(range.end, ...quarters.map((q) => q.end)) }
  const old = [...inputs.segments, ...inputs.raw, ...inputs.minutes, ...inputs.quarters, ...inputs.holds]
  await removeEntries(db, old)
  await db.run(`delete from late where ${inRange}`)
  for (const output of outputs) {
    await registerSegment(engine, db, 'raw', output.raw, range)
    await registerSegment(engine, db, 'minute', output.minutes, range)
    await registerSegment(engine, db, 'quarter', output.quarters, wide)
    await registerSegment(engine, db, 'hold', output.holds, range)
  }
  return old
}

/** Quarter-hours of a year that is over move together. */
export const mergeYears = async (engine: Engine, closedBefore: number, sliceRows: number) => {
  const gone = await engine.keep(async (db) => {
    const entries = await rowsOf<Entry>(db, `select * from manifest where kind = 'quarter' order by start`)
    const old: string[] = []
    for (const [start, parts] of Map.groupBy(entries, (entry) => year(entry.start).start)) {
      const range = year(start)
      if (range.end > closedBefore || parts.every((part) => within(range, part))) continue
      const files = parts.map((part) => part.file)
      await removeEntries(db, files)
      for (const slice of await slicesOf(db, settled(engine, files, 'true', 'point'), sliceRows)) {
        const rows = `${settled(engine, files, inSlice(slice), rollColumns)} order by point, time`
        await registerSegment(engine, db, 'quarter', await writeTemporary(engine, db, rows), range)
      }
      old.push(...files)
    }
    return old
  })
  engine.discard(gone)
}
