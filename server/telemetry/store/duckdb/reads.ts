import type { Stored } from '../../sample.ts'
import { offsets, startOfKey } from '../../zone.ts'
import { columnsOf } from '../columns.ts'
import { integer, keySql } from '../key.ts'
import { type Buckets, day, type Step } from '../store.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import { numbersOf } from './numbers.ts'
import {
  columns,
  combine,
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

export const readSince = (engine: Engine, n: number, limit: number) =>
  engine.read((db, manifest) => {
    const above = manifest.filter((entry) => entry.kind === 'hot' || entry.top > n)
    const all = `${unsettled(engine, above, 0, Number.MAX_SAFE_INTEGER, 'true')} union all
      ${settled(engine, filesOf(above, ['raw'], 0, Number.MAX_SAFE_INTEGER), 'true')}`
    return rowsOf<Stored>(db, `select ${asNumbers} from (${all}) where live and n > ${integer(n)} order by n limit ${integer(limit)}`)
  })

/** Raw files with rows of days that unsettled rows touch: roll-ups of these grains are not true any more. */
const touchedFiles = async (db: Parameters<typeof rowsOf>[0], manifest: readonly Entry[], fresh: string, start: number, end: number) => {
  if (!filesOf(manifest, ['raw'], start, end).length) return []
  const days = await rowsOf<{ day: number }>(db, `select distinct (time // ${day})::double as day from (${fresh})`)
  return days.flatMap(({ day: d }) => filesOf(manifest, ['raw'], Math.max(start, d * day), Math.min(end, (d + 1) * day)))
}

/**
 * Exact buckets from the cheapest sources. Roll-ups serve whole grains that no unsettled row touches; single readings serve the
 * rest: the two edges of the range, and grains with hot or late rows.
 */
export const readBuckets = async (
  engine: Engine,
  points: readonly number[],
  start: number,
  end: number,
  step: Step,
): Promise<Buckets[]> => {
  const sorted = points.toSorted((a, b) => a - b)
  const answer: Buckets[] = []
  for (let i = 0; i < sorted.length; i += pointsAtOnce)
    answer.push(...(await readSome(engine, sorted.slice(i, i + pointsAtOnce), start, end, step)))
  return answer
}

const readSome = (engine: Engine, points: readonly number[], start: number, end: number, step: Step): Promise<Buckets[]> =>
  engine.read(async (db, everything) => {
    const manifest = holding(everything, points)
    const spans = 'unit' in step ? offsets(step.zone, start, end) : []
    const grain = grainOf(step)
    const ms = grain?.ms ?? 1
    const from = grain ? Math.ceil(start / ms) * ms : end
    const to = grain ? Math.max(from, Math.floor(end / ms) * ms) : end
    const condition = where(points, start, end)
    const fresh = unsettled(engine, manifest, start, end, condition)
    const raw = new Set([
      ...filesOf(manifest, ['raw'], start, Math.min(from, end)),
      ...filesOf(manifest, ['raw'], Math.max(to, start), end),
      ...(grain ? await touchedFiles(db, manifest, fresh, start, end) : []),
    ])
    const rolled = grain && from < to ? filesOf(manifest, [grain.kind], from, to) : []
    const inDirty = `(point, time // ${ms}) in (select (point, grain) from dirty)`
    const emptyRoll = `(${single('select * from late')})`
    const sql = `
      with fresh as materialized (${fresh}),
      dirty as materialized (select distinct point, time // ${ms} as grain from fresh),
      old as (${settled(engine, [...raw], `${condition} and (time < ${from} or time >= ${to} or ${inDirty})`)}),
      parts as (
        select ${rollColumns} from (${single(newestValue(`select ${columns} from fresh union all select ${columns} from old`))})
        union all ${settled(engine, rolled, `${where(points, from, to)} and not ${inDirty}`, unpacked, emptyRoll)})
      select point::double as point, key::double as key, min, max, sum / nullif(count, 0) as avg, first, last,
        count::double as count, rows::double as rows
      from (${combine('select * from parts', keySql(step, spans))}) order by point, key`
    const chunks = await (await db.run(sql)).fetchAllChunks()
    return columnsOf(numbersOf(chunks, 9), (key) => ('ms' in step ? step.origin + key * step.ms : startOfKey(step.unit, spans, key)))
  })
