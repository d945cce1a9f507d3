// The rows of a file, piece by piece in the order of time, by the same code that answers charts.
import type { SeriesAnswer } from '../../../../contract/telemetry.ts'
import type { TableBlock } from '../../../../server/files/table/table.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { periodsOf } from '../../../../server/telemetry/meaning/periods.ts'
import { createStatistics, mostReadings } from '../../../../server/telemetry/meaning/statistics.ts'
import { createQuery } from '../../../../server/telemetry/query.ts'
import { unpacking } from '../../../../server/telemetry/store/columns.ts'
import { day, minute } from '../../../../server/telemetry/store/store.ts'
import { ceilTo, floorTo, offsets } from '../../../../server/telemetry/zone.ts'
import { withColumns } from '../../telemetry/server/service.ts'
import { blocksOf, type Part } from './blocks.ts'
import { cellsOfBuckets, cellsOfReadings, layoutOf } from './columns.ts'
import type { HistoryJob } from './job.ts'
import { countDays, oldest, piecesOf, type Source } from './pieces.ts'

/** Readings per piece. Smaller pieces decode row groups repeatedly; larger ones take more memory. */
const readingsAtOnce = 200_000
/** Buckets of a piece, over all points. */
const bucketsAtOnce = 20_000

/** `share`: of the range, 0 to 1; `total`: rows of the file, where they are known. */
export type Batch = { block: TableBlock; share: number; total: number | null }

async function* readings(job: HistoryJob, source: Source): AsyncGenerator<Batch> {
  const ids = job.points.map((p) => p.ParaId)
  const place = new Map(ids.map((id, i) => [id, i]))
  const layout = layoutOf(job)
  const range = { start: Math.max(job.start, oldest), end: Math.min(job.end, job.now + 2 * day) }
  const days = await countDays(source, ids, range.start, range.end)
  const all = days.reduce((sum, [, n]) => sum + n, 0)
  const isLong = job.shape === 'rows'
  if (isLong && all > job.most) throw new Fault('sheetTooLong', { max: job.most })
  let done = 0
  for await (const piece of piecesOf(source, ids, days, range, readingsAtOnce)) {
    const parts = (await source.packed(ids, piece.start, piece.end)).map(
      (of): Part => ({ at: place.get(of.point)!, time: of.time, cells: cellsOfReadings(job, of) }),
    )
    for (const block of blocksOf(layout, parts)) yield { block, share: (done + block.share * piece.rows) / all, total: isLong ? all : null }
    done += piece.rows
  }
}

/** Whole units that touch the range, a piece of them after the other. */
const unitPieces = (job: HistoryJob, unit: 'minute' | 'hour' | 'day') => {
  const [lo, hi] = [Math.max(job.start, oldest), Math.min(job.end, job.now + 2 * day)]
  if (lo >= hi) return []
  const size = Math.max(1, Math.floor(bucketsAtOnce / job.points.length))
  const cut = (edges: readonly number[]) => {
    const pieces: { start: number; end: number }[] = []
    for (let i = 0; i < edges.length - 1; i += size) pieces.push({ start: edges[i]!, end: edges[Math.min(edges.length - 1, i + size)]! })
    return pieces
  }
  if (unit === 'minute') {
    const pieces: { start: number; end: number }[] = []
    const end = Math.ceil(hi / minute) * minute
    for (let at = Math.floor(lo / minute) * minute; at < end; at += size * minute)
      pieces.push({ start: at, end: Math.min(end, at + size * minute) })
    return pieces
  }
  const spans = offsets(job.zone, lo, hi)
  return cut(periodsOf(unit, floorTo(unit, spans, lo), ceilTo(unit, spans, hi), job.zone).edges)
}

async function* buckets(job: HistoryJob, source: Source, unit: 'minute' | 'hour' | 'day'): AsyncGenerator<Batch> {
  const ids = job.points.map((p) => p.ParaId)
  const clock = () => job.now
  const since = (id: number) => job.since.get(id)
  const store = {
    buckets: source.buckets,
    columns: async (...of: Parameters<Source['packed']>) => (await source.packed(...of)).map(unpacking),
  }
  const query = createQuery(store, clock, since)
  const statistics = createStatistics({ store, clock, readingsSince: since })
  const layout = layoutOf(job)
  const counted = await countDays(source, ids, job.start, Math.min(job.end, job.now + 2 * day))
  const pieces = unitPieces(job, unit).filter(({ start, end }) => counted.some(([at]) => at < end && at + day > start))
  // The whole range decides, as on the screen, whether single readings or roll-ups answer.
  const read = counted.reduce((sum, [, n]) => sum + n, 0)
  const most = read > mostReadings ? -1 : Number.POSITIVE_INFINITY
  const telemetry = { clock, statistics: { ...statistics, of: (...[m, p]: Parameters<typeof statistics.of>) => statistics.of(m, p, most) } }
  for (const [n, { start, end }] of pieces.entries()) {
    const plain: SeriesAnswer = await query.units(unit, { ids, start, end, zone: job.zone })
    const columns = ['Min', 'Max', 'Avg', 'First', 'Last', 'Count', 'Mean', 'Coverage', 'Sum'] as const
    const answer = await withColumns(telemetry, job.meanings, plain, { columns, unit })
    const parts = answer.Series.map(
      (s, at): Part => ({ at, time: Float64Array.from(s.Time), cells: cellsOfBuckets(job, job.points[at]!, s) }),
    )
    for (const block of blocksOf(layout, parts)) yield { block, share: (n + block.share) / pieces.length, total: null }
  }
}

export const batchesOf = (job: HistoryJob, source: Source): AsyncGenerator<Batch> =>
  job.unit === 'raw' ? readings(job, source) : buckets(job, source, job.unit)
