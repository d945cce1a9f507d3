// The single readings of a file, piece by piece in the order of time.
import { Fault } from '../../../../server/http/faults.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import { blocksOf, type Part } from './blocks.ts'
import { cellsOfReadings } from './cells.ts'
import type { Batch, HistoryJob } from './job.ts'
import { countDays, oldest, piecesOf, type Source } from './pieces.ts'

/** Readings per piece. Smaller pieces decode row groups repeatedly; larger ones take more memory. */
const readingsAtOnce = 200_000

export async function* readings(job: HistoryJob, source: Source): AsyncGenerator<Batch> {
  const ids = job.points.map((p) => p.ParaId)
  const place = new Map(ids.map((id, i) => [id, i]))
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
    for (const block of blocksOf(job.layout, parts))
      yield { block, share: (done + block.share * piece.rows) / all, total: isLong ? all : null }
    done += piece.rows
  }
}
