// For how long values held within each quarter-hour, in files of their own beside the roll-ups: what a mean over time takes. A value's
// longest hold inside the quarter-hour stands beside, so that whoever knows how long a value may hold sees where readings must be looked at.
import type { DuckDBConnection } from '@duckdb/node-api'
import { quarter } from '../store.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import { registerSegment, writeTemporary } from './segments.ts'
import { byBucket, columns, orderlessSum, parquet } from './sql.ts'

/** Columns of a row; times are ms since the quarter-hour began, `value` and `quality` those of its last reading. */
export const holdColumns = `point, time, read, first_at, last_at, value, quality, longest, integral, held, good, on_ms, uncertain, amount, squares, changes`

const known = '(case when lag(value ignore nulls) over w = 0 then 0 when lag(value ignore nulls) over w <> 0 then 1 end)'
/** Rows of settled readings, one of each time. */
export const holdsOf = (rows: string) => `
  select point, grain * ${quarter} as time, count(*)::integer as read, (min(time) - grain * ${quarter})::integer as first_at,
    (max(time) - grain * ${quarter})::integer as last_at, arg_max_null(value, time) as value, arg_max(quality, time) as quality,
    coalesce(max(ms), 0)::integer as longest, coalesce(${orderlessSum('product')}, 0) as integral, coalesce(sum(ms), 0)::integer as held,
    coalesce(sum(ms) filter (quality = 0), 0)::integer as good, coalesce(sum(ms) filter (value <> 0), 0)::integer as on_ms,
    count(value) filter (quality = 1)::integer as uncertain, coalesce(${orderlessSum('floor(value * 1000 + 0.5)')}, 0) as amount,
    coalesce(${orderlessSum('(value - mean) * (value - mean)')}, 0) as squares,
    count(*) filter (known <> (value <> 0)::integer)::integer as changes
  from (select *, value * ms as product from (
    select point, time, value, quality, grain, if(value is null, null, lead(time) over w - time) as ms, ${known} as known, avg(value) over g as mean
    from (select point, time, value, quality, time // ${quarter} as grain from (${rows}))
    window w as (partition by point, grain order by time), g as (partition by point, grain)))
  group by point, grain order by point, time`

/** Result of `holdsOf` for a quarter-hour with one reading at its start. */
const holdsOfOne = `point, time, 1 as read, 0 as first_at, 0 as last_at, value, quality, 0 as longest, 0::double as integral, 0 as held, 0 as good,
  0 as on_ms, (value is not null and quality = 1)::integer as uncertain, coalesce(floor(value * 1000 + 0.5), 0) as amount, 0::double as squares,
  0 as changes`
/** The same as `holdsOf`, sooner where few quarter-hours have more than one reading. */
export const sparseHoldsOf = (rows: string) => byBucket(rows, quarter, holdsOfOne, holdsOf)

/** Closed files whose readings have no rows of holds yet: those of earlier versions. */
const withoutHolds = (manifest: readonly Entry[]) => {
  const holds = manifest.filter((entry) => entry.kind === 'hold')
  const isHeld = (raw: Entry) => holds.some((h) => h.start === raw.start && h.end === raw.end && h.low <= raw.low && h.high >= raw.high)
  return manifest.filter((entry) => entry.kind === 'raw' && !isHeld(entry))
}

const addHolds = (engine: Engine, { file }: Pick<Entry, 'file'>) =>
  engine.keep(async (db: DuckDBConnection) => {
    const [raw] = await rowsOf<Entry>(db, `select * from manifest where kind = 'raw' and file = '${file}'`)
    if (!raw) return
    const there = await rowsOf<Entry>(db, `select * from manifest where kind = 'hold' and start < ${raw.end} and "end" > ${raw.start}`)
    const known = there.length
      ? `anti join ${parquet(
          engine,
          there.map((h) => h.file),
        )} using (point, time)`
      : ''
    const rows = `select * from (${holdsOf(`select ${columns} from ${parquet(engine, [file])}`)}) ${known} order by point, time`
    await registerSegment(engine, db, 'hold', await writeTemporary(engine, db, rows), raw)
  })

/**
 * Adds the holds of such files. Each file is a transaction: a kill leaves those that are done, and the next look goes on. Nobody waits for
 * it, since questions are answered from readings or plain roll-ups until then.
 */
export const addMissingHolds = async (engine: Engine) => {
  for (const file of await engine.read(async (_, manifest) => withoutHolds(manifest))) await addHolds(engine, file)
}
