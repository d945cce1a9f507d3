// Shards points over ClickHouse replicas and queries each shard directly: a `Distributed` table
// fails entirely while one shard is down, or silently omits its points.
import type { Stored } from '../../sample.ts'
import type { Incoming, Store } from '../store.ts'
import type { Shard } from './clickhouseStore.ts'
import type { Numbers } from './numbers.ts'

/** Parses a cluster: `,` separates shards, `|` separates replicas. */
export const shardsOf = (cluster: string): string[][] => cluster.split(',').map((shard) => shard.split('|').map((url) => url.trim()))

const byPoint = <T extends { point: number }>(parts: readonly (readonly T[])[]): T[] => parts.flat().sort((a, b) => a.point - b.point)
const byNumber = (parts: readonly Stored[][], limit: number) =>
  parts
    .flat()
    .sort((a, b) => a.n - b.n)
    .slice(0, limit)

type Reading = Omit<Store['aside'], 'packed'>

/** State of a partly stored batch. The retry passes the same array and keeps its arrival numbers. */
type Begun = { first: number; replaced: Map<number, number[]> }

const appending = (shards: readonly Shard[], shardOf: (point: number) => number, numbers: Numbers): Store['append'] => {
  const begun = new WeakMap<readonly Incoming[], Begun>()
  return async (rows, doubtful = [], first) => {
    const before = begun.get(rows)
    const isSame = before && (first === undefined || first === before.first)
    const state = isSame ? before : { first: first ?? numbers.take(rows.length), replaced: new Map() }
    begun.set(rows, state)
    const asked = new Set(doubtful)
    const parts = Map.groupBy(rows.keys(), (i) => shardOf(rows[i]!.point))
    const outcomes = await Promise.allSettled(
      [...parts].map(async ([at, mine]) => {
        if (state.replaced.has(at)) return
        const own = mine.flatMap((i, index) => (asked.has(i) ? [index] : []))
        const found = await shards[at]!.put(
          mine.map((i) => rows[i]!),
          mine.map((i) => state.first + i),
          own,
        )
        state.replaced.set(
          at,
          found.map((index) => mine[index]!),
        )
      }),
    )
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    return { first: state.first, replaced: [...state.replaced.values()].flat().sort((a, b) => a - b) }
  }
}

/** Combines shards into one store. A batch is stored once every shard has its part. */
export const openCluster = (shards: readonly Shard[], numbers: Numbers): Store => {
  const shardOf = (point: number) => point % shards.length
  /** Queries the shards of the given points, each with its own points. */
  const each = <P, T>(points: readonly P[], idOf: (p: P) => number, ask: (shard: Shard, points: P[]) => Promise<T>): Promise<T[]> =>
    Promise.all([...Map.groupBy(points, (p) => shardOf(idOf(p)))].map(([at, of]) => ask(shards[at]!, of)))
  const ids = <T>(points: readonly number[], ask: (shard: Shard, points: number[]) => Promise<T>) => each(points, (p) => p, ask)
  const onAll = <T>(ask: (shard: Shard) => Promise<T>) => Promise.all(shards.map(ask))

  const reading = (of: (shard: Shard) => Reading): Reading => ({
    columns: async (points, ...range) => byPoint(await ids(points, (s, mine) => of(s).columns(mine, ...range))),
    runLengths: async (points, ...range) =>
      byPoint(
        await each(
          points,
          (p) => p.point,
          (s, mine) => of(s).runLengths(mine, ...range),
        ),
      ),
    buckets: async (points, ...range) => byPoint(await ids(points, (s, mine) => of(s).buckets(mine, ...range))),
    stretches: async (points, edges) => {
      const parts = await each(
        points,
        (p) => p.point,
        (s, mine) => of(s).stretches(mine, edges),
      )
      return {
        stretches: byPoint(parts.map((p) => p.stretches)),
        unread: parts.flatMap((p) => p.unread),
        unknown: parts.flatMap((p) => p.unknown),
        fresh: parts.flatMap((p) => p.fresh),
      }
    },
    marks: async (points, ...range) => byPoint(await ids(points, (s, mine) => of(s).marks(mine, ...range))),
  })

  return {
    reserve: numbers.take,
    append: appending(shards, shardOf, numbers),
    read: async (points, start, end, limit = 1_000_000) =>
      (await ids(points, (s, mine) => s.read(mine, start, end, limit)))
        .flat()
        .sort((a, b) => a.point - b.point || a.time - b.time)
        .slice(0, limit),
    ...reading((s) => s),
    heldTimes: async (points, ...asked) =>
      byPoint(
        await each(
          points,
          (p) => p.point,
          (s, mine) => s.heldTimes(mine, ...asked),
        ),
      ),
    aside: {
      ...reading((s) => s.aside),
      packed: async (points, ...range) => byPoint(await ids(points, (s, mine) => s.aside.packed(mine, ...range))),
    },
    latest: async () => (await onAll((s) => s.latest())).flat(),
    returned: async (points, believed) => (await ids(points, (s, mine) => s.returned(mine, believed))).flat(),
    since: async (after, limit = 10_000) => byNumber(await onAll((s) => s.since(after, limit)), limit),
    arrivals: async (points, after, from, limit) => byNumber(await ids(points, (s, mine) => s.arrivals(mine, after, from, limit)), limit),
    arrived: async (points, ...range) => {
      const parts = await ids(points, (s, mine) => s.arrived(mine, ...range))
      const times = parts.flatMap(({ earliest }) => (earliest === null ? [] : [earliest]))
      return { count: parts.reduce((sum, { count }) => sum + count, 0), earliest: times.length ? Math.min(...times) : null }
    },
    top: numbers.top,
    load: async (batches) => {
      for await (const rows of batches)
        await each(
          rows,
          (r) => r.point,
          (s, mine) => s.load(oneBatch(mine)),
        )
    },
    drop: async (points) => void (await ids(points, (s, mine) => s.drop(mine))),
    retain: async (cutoffs) => {
      await Promise.all(
        shards.map((s, at) => s.retain(cutoffs.map(({ points, ...of }) => ({ points: points.filter((p) => shardOf(p) === at), ...of })))),
      )
    },
    settle: async (now) => void (await onAll((s) => s.settle(now))),
    size: async () => (await onAll((s) => s.size())).reduce((sum, bytes) => sum + bytes, 0),
    ready: async () => void (await onAll((s) => s.ready())),
    close: async () => void (await onAll((s) => s.close())),
  }
}

async function* oneBatch<T>(rows: readonly T[]) {
  yield rows
}
