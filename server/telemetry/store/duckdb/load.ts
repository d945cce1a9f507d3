import { setImmediate as breathe } from 'node:timers/promises'
import type { Sample } from '../../sample.ts'
import { day } from '../store.ts'
import { appendRows } from './append.ts'
import type { Engine } from './engine.ts'
import { mergeIn, month } from './merge.ts'
import { registerSegment, writeTemporary } from './segments.ts'
import { columns } from './sql.ts'

/**
 * Rows of a past, as late rows that settle in the same transaction: a month that is over and a closed day become settled files with
 * roll-ups; an open day a segment. Arrival number 0: every reading that arrived is newer.
 */
export const loadPast = async (
  engine: Engine,
  batches: AsyncIterable<readonly Sample[]>,
  closedBefore: number,
  sliceRows: number,
): Promise<void> => {
  const gone = await engine.keep(async (db) => {
    let [low, high] = [Number.POSITIVE_INFINITY, 0]
    for await (const batch of batches) {
      for (const { time } of batch) {
        low = Math.min(low, time)
        high = Math.max(high, time)
      }
      await appendRows(db, 'late', batch, 0, 0)
      await breathe()
    }
    if (low > high) return []
    const alone = { start: Math.floor(low / day) * day, end: Math.floor(low / day) * day + day }
    const whole = month(low)
    const range = whole.end <= closedBefore ? whole : alone
    if (high >= range.end) throw new RangeError('Readings of a past lie in one month, and in one day of a month that is not over.')
    if (range.end <= closedBefore) return mergeIn(engine, db, range, sliceRows)
    const rows = `from late where time >= ${range.start} and time < ${range.end}`
    await registerSegment(
      engine,
      db,
      'segment',
      await writeTemporary(engine, db, `select ${columns} ${rows} order by point, time, n`),
      range,
    )
    await db.run(`delete ${rows}`)
    return []
  })
  engine.discard(gone)
}
