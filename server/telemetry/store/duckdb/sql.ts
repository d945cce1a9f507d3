import { join } from 'node:path'
import { integer } from '../key.ts'
import type { Step } from '../store.ts'
import { minute, quarter } from '../store.ts'
import type { Engine, Entry } from './engine.ts'

/** Columns of a stored row, in tables and files alike. */
export const columns = 'point, time, value, quality, n, live'
/** Columns of a roll-up row, as it lies in its file; time is the start of its minute or quarter-hour. */
export const rollColumns = 'point, time, min, max, sum, first, last, count, rows'

/**
 * Roll-up rows of a single reading keep its value once, in `sum`: slow points would take five times their readings' room otherwise.
 * `packed` writes that, `unpacked` reads it.
 */
export const packed = `point, time, ${['min', 'max'].map((c) => `if(count > 1, ${c}, null) as ${c}`).join(', ')}, sum,
  ${['first', 'last'].map((c) => `if(count > 1, ${c}, null) as ${c}`).join(', ')}, count, rows`
export const unpacked = `point, time, coalesce(min, sum) as min, coalesce(max, sum) as max, sum,
  coalesce(first, sum) as first, coalesce(last, sum) as last, count, rows`

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
export const parquet = (engine: Engine, names: readonly string[]) =>
  `read_parquet([${names.map((name) => literal(join(engine.files, name))).join(', ')}])`

/** Options of every file: version 2 encodes times as differences and doubles by byte (2.1 bytes a sample instead of 4.0). */
export const copy = (select: string, path: string) =>
  `copy (${select}) to ${literal(path)} (format parquet, parquet_version v2, compression zstd)`

/** A condition on points and times. Numbers only: nothing from outside reaches SQL as text. */
export const where = (points: readonly number[], start: number, end: number) =>
  `point in (${points.map(Number).join(', ')}) and time >= ${integer(start)} and time < ${integer(end)}`

/**
 * The same for tables, which nothing sorts by point: a join reads the other columns only of rows whose point fits, where `in` reads
 * them all (5 instead of 11 ns a row; docs/performance.md).
 */
export const whereOfTables = (points: readonly number[], start: number, end: number) => {
  const list = points.map((point) => `(${integer(point)})`).join(', ')
  return `point in (select p from (values ${list}) asked(p)) and time >= ${integer(start)} and time < ${integer(end)}`
}

const overlaps = (entry: Entry, start: number, end: number) => entry.start < end && entry.end > start
export const filesOf = (manifest: readonly Entry[], kinds: readonly Entry['kind'][], start: number, end: number) =>
  manifest.filter((entry) => kinds.includes(entry.kind) && overlaps(entry, start, end)).map((entry) => entry.file)

/** Entries that may hold rows of the points. */
export const holding = (manifest: readonly Entry[], points: readonly number[]) =>
  manifest.filter((entry) => entry.kind === 'hot' || points.some((point) => point >= entry.low && point <= entry.high))

/** What no settled file holds: hot tables and late rows (which `ofTables` may choose in a way of their own), segments of open days. */
export const unsettled = (
  engine: Engine,
  manifest: readonly Entry[],
  start: number,
  end: number,
  condition: string,
  ofTables = condition,
) => {
  const tables = [...manifest.filter((entry) => entry.kind === 'hot').map((entry) => entry.file), 'late']
  const segments = filesOf(manifest, ['segment'], start, end)
  return [
    ...tables.map((table) => `select ${columns} from ${table} where ${ofTables}`),
    ...(segments.length ? [`select ${columns} from ${parquet(engine, segments)} where ${condition}`] : []),
  ].join(' union all ')
}

/** Rows of settled files; an empty list gives an empty relation of the same shape. */
export const settled = (engine: Engine, names: readonly string[], condition: string, of = columns, empty = 'late') =>
  names.length ? `select ${of} from ${parquet(engine, names)} where ${condition}` : `select ${of} from ${empty} where false`

/** Newest arrival wins. `arg_max_null`, since `arg_max` would skip a newer null. */
export const newest = (rows: string) =>
  `select point, time, arg_max_null(value, n) as value, arg_max(quality, n) as quality, arg_max(live, n) as live, max(n) as n
   from (${rows}) group by point, time`

/** The same with nothing but the value: half the memory. */
export const newestValue = (rows: string) => `select point, time, arg_max_null(value, n) as value from (${rows}) group by point, time`

/** Stored rows as roll-up rows of one reading each. */
export const single = (rows: string) =>
  `select point, time, value as min, value as max, value as sum, value as first, value as last,
   (value is not null)::bigint as count, 1::bigint as rows from (${rows})`

/** Columns stored of a point's latest reading. */
export const readingOf = 'point, time, value, quality, n'
/**
 * The reading with the newest time of each point, and of several of one time the newest arrival. The times are found first, so
 * that whole rows are put together of few readings only. DuckDB would keep a copy of rows that are named twice: 340 MB of a table.
 */
export const newestOf = (rows: string) =>
  `with rows as not materialized (${rows}), last as (select point, max(time) as time from rows group by point)
   select unnest(arg_max(struct_pack(${readingOf}), n)) from (select * from rows semi join last using (point, time)) group by point`

/** Numbers in this range, and 0, are whole multiples of 2^-58: 2^38 of them add up within 127 bits. */
const [usualLeast, usualMost, fraction] = [2 ** -6, 2 ** 30, 2 ** 58]
/**
 * The sum of a column, the same in whatever order DuckDB's threads add: rounding depends on the order, whole numbers do not round. The few
 * numbers beyond that range are sorted first, which takes four times as long.
 */
export const orderlessSum = (column: string) => {
  const isUsual = `(abs(${column}) between ${usualLeast} and ${usualMost} or ${column} = 0)`
  const usual = `sum((${column} * ${fraction})::hugeint) filter (${isUsual})::double / ${fraction}`
  const others = `list_sum(list_sort(list(${column}) filter (not ${isUsual})))`
  return `if(count(${column}) > 0, coalesce(${usual}, 0) + coalesce(${others}, 0), null)`
}

/** Roll-up rows grouped by a key; null values leave aggregates alone. */
export const combine = (parts: string, key: string, more = '') =>
  `select point, ${key} as key, min(min) as min, max(max) as max, ${orderlessSum('sum')} as sum, arg_min(first, time) as first,
   arg_max(last, time) as last, sum(count)::bigint as count, sum(rows)::bigint as rows${more} from (${parts}) group by point, key`

/**
 * Rows by bucket, of rows with one of each point and time. A bucket without a row after its beginning has one row: `alone` is what becomes
 * of it, and `together` of the others. Readings every quarter of an hour are their own quarter-hours.
 */
export const byBucket = (rows: string, ms: number, alone: string, together: (rows: string) => string) => `
  with parts as (select *, time // ${ms} as key from (${rows})), shared as (select distinct point, key from parts where time % ${ms} <> 0)
  select ${alone} from parts anti join shared using (point, key)
  union all by name select * from (${together('select * exclude key from parts semi join shared using (point, key)')})`

/** What `combine` answers beside that: when the first and the last value of a bucket were, to the grain. */
export const ends = ', min(time) filter (first is not null) as first_at, max(time) filter (last is not null) as last_at'

/** The coarsest roll-up whose grains never straddle a border of the step; undefined = only single readings will do. */
export const grainOf = (step: Step) => {
  if ('unit' in step) return { kind: 'quarter', ms: quarter } as const
  if (step.ms % quarter === 0 && step.origin % quarter === 0) return { kind: 'quarter', ms: quarter } as const
  if (step.ms % minute === 0 && step.origin % minute === 0) return { kind: 'minute', ms: minute } as const
}
