import type { DuckDBConnection } from '@duckdb/node-api'
import type { Stored } from '../../sample.ts'
import { packedOf, readingsOf, rowKind, runLengthsOf } from '../columns.ts'
import { integer } from '../key.ts'
import type { Held } from '../store.ts'
import { chunksOf, type Engine, type Entry, rowsOf } from './engine.ts'
import { numbersInPieces, packedNumbers } from './numbers.ts'
import { filesOf, holding, newest, newestOf, readingOf, settled, unsettled, where, whereOfTables } from './sql.ts'

const asNumbers = 'point::double as point, time::double as time, value, quality::double as quality, n::double as n'

export const readRows = (engine: Engine, points: readonly number[], start: number, end: number, limit: number) =>
  engine.read((db, everything) => {
    const manifest = holding(everything, points)
    const condition = where(points, start, end)
    const all = `${unsettled(engine, manifest, start, end, condition, whereOfTables(points, start, end))} union all
      ${settled(engine, filesOf(manifest, ['raw'], start, end), condition)}`
    return rowsOf<Stored>(db, `select ${asNumbers} from (${newest(all)}) order by point, time limit ${integer(limit)}`)
  })

type By = { hot: boolean; by?: 'read' | 'aside' }

/** In settled files every reading is the only one of its time; what is `hot` may replace some of them. */
export const readingsSql = (
  engine: Engine,
  everything: readonly Entry[],
  points: readonly number[],
  [start, end, hot]: [number, number, boolean],
) => {
  const manifest = holding(everything, points)
  const condition = where(points, start, end)
  const files = settled(engine, filesOf(manifest, ['raw'], start, end), condition)
  if (!hot && !filesOf(manifest, ['segment'], start, end).length) return files
  return `select point, time, arg_max_null(value, n) as value, arg_max(quality, n) as quality from (
    ${unsettled(engine, manifest, start, end, condition, whereOfTables(points, start, end))} union all ${files}) group by point, time`
}

export const readColumns = (engine: Engine, points: readonly number[], start: number, end: number, { hot, by = 'read' }: By) =>
  engine[by](async (db, everything) => {
    const rows = readingsSql(engine, everything, points, [start, end, hot])
    const sql = `select point::double, time::double, value, quality::double from (${rows}) order by point, time`
    return readingsOf(await numbersInPieces((await chunksOf(db, sql)).chunks, 4))
  })

/** The same for long work. */
export const readPacked = (engine: Engine, points: readonly number[], start: number, end: number, hot: boolean) =>
  engine.aside(async (db, everything) => {
    const rows = readingsSql(engine, everything, points, [start, end, hot])
    const sql = `select point::double, time::double, value, quality::utinyint from (${rows}) order by point, time`
    return packedOf(packedNumbers((await chunksOf(db, sql)).chunks))
  })

type Range = { start: number; end: number; cut: number }
type Seen = { db: DuckDBConnection; everything: readonly Entry[] }

/** The same, with equal neighbours as one entry. */
export const runLengthsIn = async (
  engine: Engine,
  { db, everything }: Seen,
  points: readonly Held[],
  { start, end, cut, hot }: Range & { hot: boolean },
) => {
  const ids = points.map(({ point }) => point)
  const rows = readingsSql(engine, everything, ids, [start, end, hot])
  const held = points.map(({ point, ms }) => `(${integer(point)}, ${integer(ms)})`).join(', ')
  const sql = `
    with held(point, ms) as (values ${held}),
    marked as (
      select point, time, value, quality, row_number() over w as number, coalesce(lag(time) over w, 0) as previous,
        lead(time) over w is null as is_last, value is distinct from lag(value) over w or quality is distinct from lag(quality) over w
          or time - lag(time) over w > ms or (time >= ${integer(cut)} and lag(time) over w < ${integer(cut)}) as begins
      from (${rows}) join held using (point) window w as (partition by point order by time))
    select point::double, time::double, value, quality::double, number::double, previous::double,
      (case when not is_last then ${rowKind.begins} when begins then ${rowKind.beginsAndEnds} else ${rowKind.ends} end)::double
    from marked where begins or is_last order by point, time`
  return runLengthsOf(await numbersInPieces((await chunksOf(db, sql)).chunks, 7))
}

export const readRunLengths = (engine: Engine, points: readonly Held[], range: Range, { hot, by = 'read' }: By) =>
  engine[by]((db, everything) => runLengthsIn(engine, { db, everything }, points, { ...range, hot }))

/** Newest time of each point: what was noted when tables were closed and days merged, and what came since. */
export const readLatest = (engine: Engine) =>
  engine.read(async (db, everything) => {
    // Files of earlier versions, and those that retention has cut, are not noted.
    const noted = new Set((await rowsOf<{ file: string }>(db, 'select file from noted')).map(({ file }) => file))
    const left = unsettled(
      engine,
      everything.filter(({ file }) => !noted.has(file)),
      0,
      Number.MAX_SAFE_INTEGER,
      'true',
    )
    const all = `select ${readingOf} from latest union all select ${readingOf} from (${left})`
    return rowsOf<Stored>(db, `select ${asNumbers} from (${newestOf(all)})`)
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
