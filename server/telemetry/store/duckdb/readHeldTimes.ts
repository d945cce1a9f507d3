import { type HeldTimes, joinTimes, noTimes, pieceOf, type Times } from '../heldTimes.ts'
import { integer } from '../key.ts'
import { day } from '../store.ts'
import type { Holding } from '../stretches.ts'
import { chunksOf, type Engine, type Entry } from './engine.ts'
import type { HotRanges } from './hotRanges.ts'
import { packedDoubles } from './numbers.ts'
import { readingsSql } from './reads.ts'
import type { SegmentCache } from './segmentCache.ts'
import { filesOf, holding } from './sql.ts'

/** Whole days that are settled, as a piece of a range, and what held in them. */
export type SettledTimes = { from: number; to: number; piece: ReturnType<typeof pieceOf>; times: HeldTimes[] }
export const bytesOfTimes = ({ times }: SettledTimes) =>
  500 + times.reduce((sum, { parts }) => sum + parts.reduce((all, { value }) => all + 200 + value.length * 16, 0), 0)

type Piece = { first: number; edges: readonly number[]; until: number }

/** How long a value of each point holds at most, joined to its readings as `most`. */
const limited = (rows: string, points: readonly Holding[]) => {
  const upTo = (time: number) => integer(Number.isFinite(time) ? time : Number.MAX_SAFE_INTEGER)
  const values = points.flatMap(({ point, most }) => most.map(({ until, ms }) => `(${integer(point)}, ${upTo(until)}, ${integer(ms)})`))
  const isOne = points.every(({ most }) => most.length === 1)
  const join = isOne ? 'join most m on r.point = m.point' : 'asof join most m on r.point = m.point and r.time < m.until'
  return { most: `most(point, until, most) as (values ${values.join(', ')})`, of: `(${rows}) r ${join}` }
}

/** Point, part, value and ms, in this order. A value holds until the next reading, good or bad, or for as long as it may. */
const sqlOf = (rows: string, points: readonly Holding[], { edges, until }: Piece) => {
  const { most, of } = limited(rows, points)
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const next = `coalesce(lead(r.time) over (partition by r.point order by r.time), ${integer(until)})`
  const held = `held as (
    select point, value, greatest(time, ${integer(start)}) as low, least(next, time + most, ${integer(end)}) as high
    from (select r.point, r.time, r.value, m.most, ${next} as next from ${of}) where value is not null)`
  const inOnePart = `select point, 0 as part, value, high - low as ms from held where high > low`
  const inParts = `
    select point, part, value, least(high, bound) - low as ms from placed
    union all select h.point, b.part, h.value, least(h.high, b.bound) - b.edge from placed h join bounds b on b.edge > h.low and b.edge < h.high
    where h.high > h.bound`
  const bounds = `
    edges as (select unnest([${edges.map(integer).join(', ')}]::bigint[]) as edge),
    bounds as (select edge, lead(edge) over (order by edge) as bound, row_number() over (order by edge) - 1 as part from edges),
    placed as (select h.*, b.part, b.bound from held h asof join bounds b on h.low >= b.edge where h.high > h.low)`
  return `with ${most}, ${held}${edges.length > 2 ? `, ${bounds}` : ''}
    select point::double, part::double, value, sum(ms)::double from (${edges.length > 2 ? inParts : inOnePart})
    group by point, part, value order by point, part, value`
}

/** Cuts the columns of an answer at its points and parts. */
const timesIn = ([point, part, value, ms]: readonly Float64Array[], count: number): HeldTimes[] => {
  const answer: HeldTimes[] = []
  for (let i = 0; i < point!.length; ) {
    let next = i + 1
    while (next < point!.length && point![next] === point![i] && part![next] === part![i]) next++
    if (answer.at(-1)?.point !== point![i]) answer.push({ point: point![i]!, parts: Array<Times>(count).fill(noTimes) })
    answer.at(-1)!.parts[part![i]!] = { value: value!.slice(i, next), ms: ms!.slice(i, next) }
    i = next
  }
  return answer
}

type Deps = { engine: Engine; ranges: HotRanges; cache: SegmentCache<SettledTimes>; free: (rows: number) => void }

/** Settled days are cached by file; the rest is read from the store. */
export const readHeldTimes = async (
  { engine, ranges, cache, free }: Deps,
  points: readonly Holding[],
  edges: readonly number[],
  until: number,
): Promise<HeldTimes[]> => {
  const ids = points.map(({ point }) => point)
  const [start, end] = [edges[0]!, edges.at(-1)!]
  if (!ids.length || end <= start) return []
  const longest = Math.max(...points.flatMap(({ most }) => most.map(({ ms }) => ms)))
  const before = (time: number) => Math.max(0, time - longest)
  const planOf = (everything: readonly Entry[]) => {
    const manifest = holding(everything, ids)
    const from = Math.ceil(start / day) * day
    const open = [...ranges.spans(), ...manifest.filter(({ kind }) => kind === 'segment')].filter((span) => span.end > before(from))
    const to = Math.floor(Math.min(end, until, ...open.map((span) => span.start)) / day) * day
    if (to <= from) return
    const piece = pieceOf(edges, from, to)
    return { from, to, piece, key: JSON.stringify([filesOf(manifest, ['raw'], before(from), to), points, piece.edges]) }
  }
  type Seen = Parameters<Parameters<Engine['read']>[0]>
  const ask = async ([db, everything]: Seen, piece: Piece, isHot: boolean) => {
    const rows = readingsSql(engine, everything, ids, [before(piece.edges[0]!), piece.edges.at(-1)!, isHot])
    const { chunks } = await chunksOf(db, sqlOf(rows, points, piece))
    const columns = packedDoubles(chunks, 4)
    free(columns[0]!.length)
    return timesIn(columns, piece.edges.length - 1)
  }
  const known = engine.manifest()
  const plan = known && planOf(known)
  const settled =
    (plan && cache.get(plan.key)) ??
    (await engine.read(async (...seen) => {
      const now = planOf(seen[1])
      if (!now) return
      return cache.put(now.key, { ...now, times: await ask(seen, { ...now.piece, until: now.to }, false) })
    }))
  const read = async (from: number, to: number, until: number) => {
    if (to <= from) return []
    const piece = { ...pieceOf(edges, from, to), until }
    const isHot = ranges.touches(before(from), to)
    return [{ first: piece.first, times: await engine.read((...seen) => ask(seen, piece, isHot)) }]
  }
  if (!settled) return (await read(start, end, until))[0]!.times
  const pieces = [
    ...(await read(start, settled.from, settled.from)),
    { first: settled.piece.first, times: settled.times },
    ...(await read(settled.to, end, until)),
  ]
  return joinTimes(edges.length - 1, pieces)
}
