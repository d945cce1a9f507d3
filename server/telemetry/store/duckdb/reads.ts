import type { Stored } from '../../sample.ts'
import { offsets, startOfKey } from '../../zone.ts'
import { integer, keySql } from '../key.ts'
import { type Buckets, day, type Step } from '../store.ts'
import { bucketsOf, type ClosedParts, joined, type Part, partColumns, partsOf } from './closed.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import {
  columns,
  combine,
  ends,
  filesOf,
  grainOf,
  holding,
  newest,
  newestValue,
  rollColumns,
  settled,
  single,
  unpacked,
  unsettled,
  where,
} from './sql.ts'

/** A day of single readings of so many points, one a second, settles in the memory there is. */
const pointsAtOnce = 20

const asNumbers = 'point::double as point, time::double as time, value, quality::double as quality, n::double as n'

export const readRows = (engine: Engine, points: readonly number[], start: number, end: number, limit: number) =>
  engine.read((db, everything) => {
    const manifest = holding(everything, points)
    const condition = where(points, start, end)
    const all = `${unsettled(engine, manifest, start, end, condition)} union all
      ${settled(engine, filesOf(manifest, ['raw'], start, end), condition)}`
    return rowsOf<Stored>(db, `select ${asNumbers} from (${newest(all)}) order by point, time limit ${integer(limit)}`)
  })

/** Newest time of each point: what merges have noted, and what came since. */
export const readLatest = (engine: Engine) =>
  engine.read((db, manifest) => {
    const all = `select point, time, value, quality, n, true as live from latest union all
      ${unsettled(engine, manifest, 0, Number.MAX_SAFE_INTEGER, 'true')}`
    return rowsOf<Stored>(
      db,
      `select ${asNumbers} from (select unnest(arg_max(struct_pack(point, time, value, quality, n), (time, n))) from (${all}) group by point)`,
    )
  })

/** Newest live readings that came after the last one later than `believed`. */
export const readReturned = (engine: Engine, points: readonly number[], believed: number) =>
  engine.read((db, manifest) => {
    const some = `point in (${points.map(integer).join(', ')}) and live`
    return rowsOf<Stored>(
      db,
      `with rows as materialized (${unsettled(engine, holding(manifest, points), 0, Number.MAX_SAFE_INTEGER, some)}),
       ahead as (select point as p, max(n) as last from rows where time > ${integer(believed)} group by point)
       select ${asNumbers} from (select unnest(arg_max(struct_pack(point, time, value, quality, n), (time, n)))
         from rows join ahead on point = p where n > last group by point)`,
    )
  })

export const readSince = (engine: Engine, n: number, limit: number) =>
  engine.read((db, manifest) => {
    const above = manifest.filter((entry) => entry.kind === 'hot' || entry.top > n)
    const all = `${unsettled(engine, above, 0, Number.MAX_SAFE_INTEGER, 'true')} union all
      ${settled(engine, filesOf(above, ['raw'], 0, Number.MAX_SAFE_INTEGER), 'true')}`
    return rowsOf<Stored>(db, `select ${asNumbers} from (${all}) where live and n > ${integer(n)} order by n limit ${integer(limit)}`)
  })

/** UTC days that unsettled rows touch: roll-ups of some of their grains are not true any more. */
const freshDays = async (db: Parameters<typeof rowsOf>[0], fresh: string) =>
  (await rowsOf<{ day: number }>(db, `select distinct (time // ${day})::double as day from (${fresh})`)).map((row) => row.day * day)

/**
 * Exact buckets from the cheapest sources. Roll-ups serve whole grains that no unsettled row touches; single readings serve the
 * rest: the two edges of the range, and grains with hot or late rows. What closed files give whole is kept in `closed`.
 */
export const readBuckets = async (
  engine: Engine,
  closed: ClosedParts,
  points: readonly number[],
  start: number,
  end: number,
  step: Step,
): Promise<Buckets[]> => {
  const sorted = [...new Set(points)].sort((a, b) => a - b)
  // Counted from the same instants wherever the range begins: what is kept serves the next range too.
  const even = 'ms' in step ? { ms: step.ms, origin: step.origin % step.ms } : step
  const answer: Buckets[] = []
  for (let i = 0; i < sorted.length; i += pointsAtOnce)
    answer.push(...(await readSome(engine, closed, sorted.slice(i, i + pointsAtOnce), start, end, even)))
  return answer
}

const readSome = (
  engine: Engine,
  closed: ClosedParts,
  points: readonly number[],
  start: number,
  end: number,
  step: Step,
): Promise<Buckets[]> =>
  engine.read(async (db, everything) => {
    const manifest = holding(everything, points)
    const spans = 'unit' in step ? offsets(step.zone, start, end) : []
    const grain = grainOf(step)
    const ms = grain?.ms ?? 1
    const from = grain ? Math.ceil(start / ms) * ms : end
    const to = grain ? Math.max(from, Math.floor(end / ms) * ms) : end
    const condition = where(points, start, end)
    const fresh = unsettled(engine, manifest, start, end, condition)
    const key = keySql(step, spans)

    const files = manifest.filter((entry) => entry.kind === grain?.kind && entry.start < to && entry.end > from)
    const settledThere = files.length > 0 || filesOf(manifest, ['raw'], start, end).length > 0
    const days = grain && settledThere ? await freshDays(db, fresh) : []
    const touched = (entry: Entry) => days.some((d) => d < entry.end && d + day > entry.start)
    // Hours and days begin and end with the range, which moves once in each of them; other ranges move all the time.
    const whole = files.filter((entry) => !touched(entry) && ('unit' in step || (entry.start >= from && entry.end <= to)))
    const names = whole.map((entry) => entry.file)
    const cut = 'unit' in step ? [from, to] : []
    const readWhole = () => {
      const rows = settled(engine, names, where(points, from, to), unpacked)
      return partsOf(db, `select ${partColumns} from (${combine(rows, key, ends)}) order by point, key`)
    }
    const kept = names.length ? await closed.of(JSON.stringify([names, points, step, cut]), readWhole) : new Map<number, Part>()

    const raw = new Set([
      ...(start < from ? filesOf(manifest, ['raw'], start, Math.min(from, end)) : []),
      ...(to < end ? filesOf(manifest, ['raw'], Math.max(to, start), end) : []),
      ...days.flatMap((d) => filesOf(manifest, ['raw'], Math.max(start, d), Math.min(end, d + day))),
    ])
    const rolled = files.filter((entry) => !whole.includes(entry)).map((entry) => entry.file)
    const inDirty = `(point, time // ${ms}) in (select (point, grain) from dirty)`
    // Not where a grain is dirty: retention may have left nothing but the roll-up.
    const isRead = `(point, time // ${ms}) in (select (point, time // ${ms}) from old)`
    const emptyRoll = `(${single('select * from late')})`
    const sql = `
      with fresh as materialized (${fresh}),
      dirty as materialized (select distinct point, time // ${ms} as grain from fresh),
      old as ${rolled.length ? 'materialized ' : ''}(${settled(engine, [...raw], `${condition} and (time < ${from} or time >= ${to} or ${inDirty})`)}),
      parts as (
        select ${rollColumns} from (${single(newestValue(`select ${columns} from fresh union all select ${columns} from old`))})
        union all ${settled(engine, rolled, `${where(points, from, to)} and not ${isRead}`, unpacked, emptyRoll)})
      select ${partColumns} from (${combine('select * from parts', key, ends)}) order by point, key`
    const nothingElse = grain && settledThere && !days.length && !raw.size && !rolled.length
    const others = nothingElse ? new Map<number, Part>() : await partsOf(db, sql)
    const timeOf = (k: number) => ('ms' in step ? step.origin + k * step.ms : startOfKey(step.unit, spans, k))
    return points.flatMap((point) => {
      const part = joined(kept.get(point), others.get(point))
      return part ? [bucketsOf(point, part, timeOf)] : []
    })
  })
