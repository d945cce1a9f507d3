import type { Stored } from '../../sample.ts'
import { integer } from '../key.ts'
import { chunksOf, type Engine } from './engine.ts'
import { numbersOf } from './numbers.ts'
import { filesOf, settled, unsettled } from './sql.ts'

const ever = [0, Number.MAX_SAFE_INTEGER] as const

/**
 * Live readings above an arrival number, in the order of arrival, at most `limit`; `next` is the number that none has yet. Hot tables
 * are in that order, so a range of numbers is a small piece of them: all rows above the number would be half a second's work for each
 * page (docs/performance.md). Ranges grow where few of their numbers are live.
 */
export const readSince = (engine: Engine, n: number, limit: number, next: number) =>
  engine.read(async (db, manifest) => {
    const above = manifest.filter((entry) => entry.kind === 'hot' || entry.top > n)
    const rows: Stored[] = []
    for (let [from, range] = [n, limit]; rows.length < limit && from < next; from += range, range *= 4) {
      const numbers = `live and n > ${integer(from)} and n <= ${integer(Math.min(from + range, next))}`
      const { chunks } = await chunksOf(
        db,
        `select point::double, time::double, value, quality::double, n::double from (${unsettled(engine, above, ...ever, numbers)}
           union all ${settled(engine, filesOf(above, ['raw'], ...ever), numbers)})
         order by n limit ${integer(limit - rows.length)}`,
      )
      const [point, time, value, quality, number] = numbersOf(chunks, 5) as number[][]
      for (let i = 0; i < point!.length; i++)
        rows.push({ point: point![i]!, time: time![i]!, value: value![i]!, quality: quality![i]!, n: number![i]! })
    }
    return rows
  })
