import { integer } from '../key.ts'
import { day, quarter } from '../store.ts'
import { type Holding, mostUnread, type Span, type Stretches, stretchesOf } from '../stretches.ts'
import { chunksOf, type Engine, type Entry, rowsOf } from './engine.ts'
import { holdColumns } from './holds.ts'
import type { HotRanges } from './hotRanges.ts'
import { numbersInPieces } from './numbers.ts'
import type { SegmentCache } from './segmentCache.ts'
import { filesOf, holding, parquet, unpacked, unsettled, where, whereOfTables } from './sql.ts'

const nulls = (count: number) => Array.from({ length: count }, () => 'null::double').join(', ')
const ever = Number.MAX_SAFE_INTEGER
const upTo = (time: number) => integer(Number.isFinite(time) ? time : ever)

/** No stretch goes over an edge, into a day that is not settled, or over a change of how long values may hold. */
const cutsOf = (edges: readonly number[], fresh: readonly Span[], points: readonly Holding[]) => {
  const changes = points.flatMap(({ most }) => most.map(({ until }) => until).filter(Number.isFinite))
  return [...new Set([...edges, ...fresh.flatMap(({ start, end }) => [start, end]), ...changes])].sort((a, b) => a - b)
}

/**
 * Quarter-hours with what values held in them, joined within each part as far as no reading must be looked at: where a value may have held
 * for too long, where an edge cuts a quarter-hour, and where an earlier version left no holds.
 */
const sqlOf = (rolls: string, holds: string, points: readonly Holding[], cuts: readonly number[]) => {
  const most = points.flatMap(({ point, most }) => most.map(({ until, ms }) => `(${integer(point)}, ${upTo(until)}, ${integer(ms)})`))
  const next = 'lead(first_at) over s'
  return `
    with most(point, until, most) as (values ${most.join(', ')}),
    parts as (select unnest([${cuts.map(integer).join(', ')}]::bigint[]) as part),
    bounds as (select part, lead(part) over (order by part) as bound from parts),
    pairs as (select r.*, h.read, r.time + h.first_at as first_at, r.time + h.last_at as last_at, h.value, h.quality, h.longest, h.integral, h.held,
      h.good, h.on_ms, h.uncertain, h.amount, h.squares, h.changes from (${rolls}) r left join (${holds}) h using (point, time)),
    limited as (select b.*, m.most from pairs b asof join most m on b.point = m.point and b.time < m.until),
    placed as (select l.*, p.part, (l.read is distinct from l.rows or l.longest > l.most or p.bound is null or l.time + ${quarter} > p.bound) as bare
      from limited l asof join bounds p on l.time >= p.part),
    many as (select point from placed where bare group by point having count(*) > ${mostUnread}),
    numbered as (select *, sum(bare::integer) over (partition by point order by time rows unbounded preceding) as run
      from placed where point not in (select point from many)),
    joined as (
      select *, if(value is null or ${next} is null, 0, least(${next} - last_at, most)) as gap, (lag(last ignore nulls) over s <> 0) <> (first <> 0) as turned,
        sum(sum) over t / nullif(sum(count) over t, 0) as mean
      from numbered where not bare
      window s as (partition by point, part, run order by time), t as (partition by point, part, run))
    select point::double, min(first_at)::double, max(last_at)::double, arg_max_null(value, time), arg_max(quality, time)::double,
      sum(count)::double, sum(rows)::double, sum(uncertain)::double, min(min), max(max), coalesce(fsum(sum), 0), arg_min(first, time), arg_max(last, time),
      fsum(squares + if(count > 0, count * (sum / count - mean) * (sum / count - mean), 0)), fsum(amount),
      fsum(integral + if(gap > 0, value * gap, 0)), sum(held + gap)::double, sum(good + if(quality = 0, gap, 0))::double,
      sum(on_ms + if(value <> 0, gap, 0))::double, (sum(changes) + count(*) filter (turned))::double, 0::double as bare
    from joined group by point, part, run
    union all
    select point::double, time::double, ${nulls(4)}, rows::double, ${nulls(13)}, 1::double
    from numbered where bare
    union all
    select point::double, 0::double, ${nulls(4)}, 0::double, ${nulls(13)}, 2::double from many
    order by 1, 2`
}

/** About 21 numbers, each with its name's place in the object. */
export const bytesOfStretches = ({ stretches, unread }: Stretches) => 1000 + stretches.length * 400 + unread.length * 80

type Deps = { engine: Engine; ranges: HotRanges; cache: SegmentCache<Stretches>; by: 'read' | 'aside' }
const nothing: Stretches = { stretches: [], unread: [], unknown: [], fresh: [] }

export const readStretches = async (
  { engine, ranges, cache, by }: Deps,
  points: readonly Holding[],
  edges: readonly number[],
): Promise<Stretches> => {
  const ids = points.map(({ point }) => point)
  const [start, end] = [Math.ceil(edges[0]! / quarter) * quarter, Math.floor(edges.at(-1)! / quarter) * quarter]
  if (!ids.length || end <= start) return nothing
  /** Files that answer, and their cached answer where no table or segment has rows of the range. */
  const planOf = (everything: readonly Entry[]) => {
    const manifest = holding(everything, ids)
    const [rolls, holds] = [filesOf(manifest, ['quarter'], start, end), filesOf(manifest, ['hold'], start, end)]
    const isOpen = ranges.touches(start, end) || filesOf(manifest, ['segment'], start, end).length > 0
    return { manifest, rolls, holds, isOpen, key: isOpen ? '' : JSON.stringify([rolls, holds, points, edges]) }
  }
  const known = engine.manifest()
  const cached = known && cache.get(planOf(known).key)
  if (cached) return cached
  return engine[by](async (db, everything) => {
    const { manifest, rolls, holds, isOpen, key } = planOf(everything)
    const tables = unsettled(engine, manifest, start, end, where(ids, start, end), whereOfTables(ids, start, end))
    const days = isOpen
      ? await rowsOf<{ day: number }>(db, `select distinct (time // ${day})::double as day from (${tables}) order by 1`)
      : []
    const fresh = days.map((one) => ({ start: one.day * day, end: (one.day + 1) * day }))
    const isSettled = days.length ? `and time // ${day} not in (${days.map((one) => integer(one.day)).join(', ')})` : ''
    const condition = `${where(ids, start, end)} ${isSettled}`
    if (!rolls.length) return { ...nothing, fresh }
    if (!holds.length) return { ...nothing, fresh, unknown: ids }
    const [rollRows, holdRows] = [
      `select ${unpacked} from ${parquet(engine, rolls)} where ${condition}`,
      `select ${holdColumns} from ${parquet(engine, holds)} where ${condition}`,
    ]
    const { chunks } = await chunksOf(db, sqlOf(rollRows, holdRows, points, cutsOf(edges, fresh, points)))
    const table = await numbersInPieces(chunks, 21)
    const answer = { ...answerOf(table), fresh }
    return key ? cache.put(key, answer) : answer
  })
}

/** Stretches, readings that must be looked at, and points with too many of these, by the last column. */
const answerOf = (table: (number | null)[][]): Omit<Stretches, 'fresh'> => {
  const bare = table[20]!
  const of = (kind: number) => bare.flatMap((b, i) => (b === kind ? [i] : []))
  const kept = of(0)
  const unread = of(1).map((i) => {
    const time = table[1]![i]!
    return { point: table[0]![i]!, start: time, end: time + quarter, rows: table[6]![i]! }
  })
  const unknown = of(2).map((i) => table[0]![i]!)
  return { unknown, stretches: stretchesOf(table.slice(0, 20).map((column) => kept.map((i) => column[i]!))), unread }
}
