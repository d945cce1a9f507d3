// The rows of a file by the minute, hour, day or shift, by the same code that answers charts.
import type { SeriesAnswer } from '../../../../contract/telemetry.ts'
import { periodsOf } from '../../../../server/telemetry/meaning/periods.ts'
import { shiftPeriods } from '../../../../server/telemetry/meaning/shifts.ts'
import { createStatistics, mostReadings } from '../../../../server/telemetry/meaning/statistics.ts'
import { createQuery } from '../../../../server/telemetry/query.ts'
import { unpacking } from '../../../../server/telemetry/store/columns.ts'
import { day, minute } from '../../../../server/telemetry/store/store.ts'
import { ceilTo, floorTo, offsets } from '../../../../server/telemetry/zone.ts'
import { rowOf, withColumns } from '../../telemetry/server/service.ts'
import { seriesOfRows } from '../figure.ts'
import { blocksOf, type Part } from './blocks.ts'
import { cellsOfBuckets } from './cells.ts'
import type { Batch, HistoryJob } from './job.ts'
import { countDays, oldest, type Source } from './pieces.ts'

/** Buckets of a piece, over all points. */
const bucketsAtOnce = 20_000

const rangeOf = ({ start, end, now }: HistoryJob) => ({ lo: Math.max(start, oldest), hi: Math.min(end, now + 2 * day) })
const pieceSize = ({ points }: HistoryJob) => Math.max(1, Math.floor(bucketsAtOnce / points.length))

/** Whole units that touch the range, a piece of them after the other. */
const unitPieces = (job: HistoryJob, unit: 'minute' | 'hour' | 'day') => {
  const { lo, hi } = rangeOf(job)
  if (lo >= hi) return []
  const size = pieceSize(job)
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

/** Yields the shifts in batches that fit into memory. */
const shiftPieces = (job: HistoryJob) => {
  const { lo, hi } = rangeOf(job)
  const size = pieceSize(job)
  return Array.from({ length: Math.ceil(job.shifts.length / size) }, (_, i) => {
    const shifts = job.shifts.slice(i * size, (i + 1) * size)
    return { start: Math.max(lo, shifts[0]!.start), end: Math.min(hi, shifts.at(-1)!.end), shifts }
  }).filter(({ start, end }) => start < end)
}

/** The engines of the server, over the readings that it hands out. */
const enginesOf = (job: HistoryJob, source: Source, most: number) => {
  const clock = () => job.now
  const since = (id: number) => job.since.get(id)
  const store = {
    buckets: source.buckets,
    columns: async (...of: Parameters<Source['packed']>) => (await source.packed(...of)).map(unpacking),
  }
  const statistics = createStatistics({ store, clock, readingsSince: since })
  const of = (...[m, p]: Parameters<typeof statistics.of>) => statistics.of(m, p, most)
  return { clock, query: createQuery(store, clock, since), statistics: { ...statistics, of } }
}
type Engines = ReturnType<typeof enginesOf>

const columns = ['Min', 'Max', 'Avg', 'First', 'Last', 'Count', 'Mean', 'Coverage', 'Sum'] as const
const ofUnits = async (
  job: HistoryJob,
  engines: Engines,
  unit: 'minute' | 'hour' | 'day',
  { start, end }: { start: number; end: number },
) => {
  const plain: SeriesAnswer = await engines.query.units(unit, { ids: job.points.map((p) => p.ParaId), start, end, zone: job.zone })
  return (await withColumns(engines, job.meanings, plain, { columns, unit })).Series
}
const ofShifts = async (job: HistoryJob, { statistics }: Engines, { start, end, shifts }: ReturnType<typeof shiftPieces>[number]) => {
  const periods = shiftPeriods(shifts, start, end)
  const isShift = new Set(periods.shifts.flatMap((shift, i) => (shift ? [periods.edges[i]!] : [])))
  return (await statistics.of(job.meanings, periods)).map((found) => {
    const parts = found.parts.filter((part) => isShift.has(part.start))
    const asked = (part: { start: number; end: number }) => ({ ms: Math.min(part.end, job.now) - part.start, partial: 0, name: {} })
    return seriesOfRows(
      found.id,
      parts.map((part) => rowOf(part, found, asked(part))),
    )
  })
}

export async function* buckets(job: HistoryJob, source: Source, unit: Exclude<HistoryJob['unit'], 'raw'>): AsyncGenerator<Batch> {
  const ids = job.points.map((p) => p.ParaId)
  const counted = await countDays(source, ids, job.start, rangeOf(job).hi)
  const hasReadings = ({ start, end }: { start: number; end: number }) => counted.some(([at]) => at < end && at + day > start)
  // The whole range decides, as on the screen, whether single readings or roll-ups answer.
  const read = counted.reduce((sum, [, n]) => sum + n, 0)
  const engines = enginesOf(job, source, read > mostReadings ? -1 : Number.POSITIVE_INFINITY)
  const pieces =
    unit === 'shift'
      ? shiftPieces(job).map((piece) => ({ ...piece, ask: () => ofShifts(job, engines, piece) }))
      : unitPieces(job, unit).map((piece) => ({ ...piece, ask: () => ofUnits(job, engines, unit, piece) }))
  const asked = pieces.filter(hasReadings)
  for (const [n, { ask }] of asked.entries()) {
    const parts = (await ask()).map(
      (s, at): Part => ({ at, time: Float64Array.from(s.Time), cells: cellsOfBuckets(job, job.points[at]!, s) }),
    )
    for (const block of blocksOf(job.layout, parts)) yield { block, share: (n + block.share) / asked.length, total: null }
  }
}
