// Parts of long ranges: closed quarter-hours as what they came to, single readings only around edges, in days that are not settled, and
// where a value may have held for too long.
import { inSlices, pausing } from '../../jobs/ownTurn.ts'
import { type Buckets, quarter, type Store } from '../store/store.ts'
import type { Span, Stretch, Stretches } from '../store/stretches.ts'
import { createFold, heldIntervals, type Part } from './hold.ts'
import type { Meaning } from './statistics.ts'

type Source = Pick<Store, 'columns' | 'stretches'>
type Readings = Awaited<ReturnType<Source['columns']>>[number]
/** Single readings that one point may cost, and those of several points in memory at a time. */
const [mostOfPoint, together] = [1_000_000, 400_000]
const oldest = Date.UTC(2000, 0, 1)

const joined = (spans: readonly Span[]) => {
  const all: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= start) continue
    const last = all.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else all.push({ start, end })
  }
  return all
}

/** What is read of every point: before and after the whole quarter-hours, and days that are not settled. */
const commonSpans = (edges: readonly number[], fresh: readonly Span[], before: number): Span[] => {
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const [from, to] = [Math.ceil(start / quarter) * quarter, Math.floor(end / quarter) * quarter]
  if (to <= from) return [{ start: start - before, end }]
  const within = fresh.map((one) => ({ start: Math.max(from, one.start), end: Math.min(to, one.end) }))
  return [{ start: start - before, end: from }, ...within, { start: to, end }]
}

/** Readings by point, of spans that several share in one look. */
const readSpans = async (source: Source, asked: ReadonlyMap<number, readonly Span[]>) => {
  const shared = new Map<string, { span: Span; ids: number[] }>()
  for (const [id, spans] of asked)
    for (const span of spans) {
      const one = shared.get(`${span.start} ${span.end}`) ?? { span, ids: [] }
      shared.set(`${span.start} ${span.end}`, one)
      one.ids.push(id)
    }
  const answer = new Map<number, Readings[]>()
  for (const { span, ids } of [...shared.values()].sort((a, b) => a.span.start - b.span.start))
    for (const of of await source.columns(ids, span.start, span.end)) answer.set(of.point, [...(answer.get(of.point) ?? []), of])
  return answer
}

type Folded = { point: Meaning; stretches: readonly Stretch[]; readings: readonly Readings[] }
const fold = async ({ point: { expected, limits }, stretches, readings }: Folded, edges: readonly number[], until: number) => {
  const folding = createFold(edges, expected, limits)
  const items = [
    ...stretches.map((stretch) => ({ at: stretch.firstAt, length: 1, take: () => folding.takeStretch(stretch) })),
    ...readings.map((of) => ({
      ...{ at: of.time[0]!, length: of.time.length },
      take: (from: number, to: number) => folding.take(of, from, to),
    })),
  ]
  const pause = pausing()
  for (const { take, length } of items.sort((a, b) => a.at - b.at)) {
    if (length > 1) await inSlices(length, take)
    else take(0, 1)
    await pause()
  }
  folding.end(until)
  return folding.parts
}

/** How many readings of a point must be looked at; nothing where they are too many. */
const costOf = (unread: Stretches['unread'], fresh: readonly Span[], days: Buckets | undefined) => {
  const isFresh = (time: number) => fresh.some((span) => time >= span.start && time < span.end)
  const open = days?.rows.reduce((sum, rows, i) => (isFresh(days.time[i]!) ? sum + rows : sum), 0) ?? 0
  const rows = unread.reduce((sum, one) => sum + one.rows, open)
  return rows > mostOfPoint ? undefined : rows
}

/**
 * The parts of those points of which enough is known; `days` are their readings by UTC days. Of others, retention took readings that would be
 * needed, or files of an earlier version tell too little yet.
 */
export const foldStretched = async (
  source: Source,
  points: readonly Meaning[],
  { edges, until, days }: { edges: readonly number[]; until: number; days: ReadonlyMap<number, Buckets> },
): Promise<Map<number, Part[]>> => {
  const answer = new Map<number, Part[]>()
  if (!points.length) return answer
  const most = (point: Meaning) => point.expected.map(({ until, ms }) => ({ until, ms: heldIntervals * ms }))
  const { stretches, unread, unknown, fresh } = await source.stretches(
    points.map((point) => ({ point: point.id, most: most(point) })),
    edges,
  )
  const own = Map.groupBy(stretches, ({ point }) => point)
  const ownUnread = Map.groupBy(unread, ({ point }) => point)
  /** A value of before the range holds no longer than that. */
  const spansOf = (point: Meaning) => {
    const before = Math.min(edges[0]! - oldest, Math.max(...most(point).map(({ ms }) => ms)))
    return joined([...commonSpans(edges, fresh, Math.max(0, before)), ...(ownUnread.get(point.id) ?? [])])
  }
  let waiting: Meaning[] = []
  let waitingRows = 0
  const read = async () => {
    const asked = new Map(waiting.map((point) => [point.id, spansOf(point)]))
    const readings = await readSpans(source, asked)
    for (const point of waiting) {
      const found = readings.get(point.id) ?? []
      const isThere = (ownUnread.get(point.id) ?? []).every(({ start, end, rows }) => {
        const of = found.find(({ time }) => time[0]! < end && time.at(-1)! >= start)
        return of !== undefined && of.time.filter((time) => time >= start && time < end).length >= rows
      })
      if (isThere) answer.set(point.id, await fold({ point, stretches: own.get(point.id) ?? [], readings: found }, edges, until))
    }
    ;[waiting, waitingRows] = [[], 0]
  }
  for (const point of points) {
    const rows = costOf(ownUnread.get(point.id) ?? [], fresh, days.get(point.id))
    if (rows === undefined || unknown.includes(point.id)) continue
    if (waitingRows && waitingRows + rows > together) await read()
    waiting.push(point)
    waitingRows += rows
  }
  await read()
  return answer
}
