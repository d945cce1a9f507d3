import { integer } from '../key.ts'
import { marksOf } from '../marks.ts'
import { day, quarter } from '../store.ts'
import { chunksOf, type Engine, rowsOf } from './engine.ts'
import type { HotRanges } from './hotRanges.ts'
import { numbersInPieces } from './numbers.ts'
import { filesOf, holding, newestValue, parquet, settled, unpacked, unsettled, where, whereOfTables } from './sql.ts'

type Deps = { engine: Engine; ranges: HotRanges; by: 'read' | 'aside' }
const ofReadings = (rows: string) => `
  select point, time // ${quarter} * ${quarter} as time, min(value) as min, max(value) as max, arg_min(value, time) as first, arg_max(value, time) as last,
    count(value) as count, min(time) as first_at, max(time) as last_at
  from (${newestValue(rows)}) where value is not null group by 1, 2`

/** Settled quarter-hours from their roll-ups and holds, those of days with unsettled rows from readings. */
export const readMarks = ({ engine, ranges, by }: Deps, points: readonly number[], start: number, end: number) =>
  engine[by](async (db, everything) => {
    const manifest = holding(everything, points)
    const isOpen = ranges.touches(start, end) || filesOf(manifest, ['segment'], start, end).length > 0
    const open = unsettled(engine, manifest, start, end, where(points, start, end), whereOfTables(points, start, end))
    const days = isOpen
      ? (await rowsOf<{ day: number }>(db, `select distinct (time // ${day})::double as day from (${open})`)).map((one) => one.day)
      : []
    const [rolls, holds] = [filesOf(manifest, ['quarter'], start, end), filesOf(manifest, ['hold'], start, end)]
    const ofDays = days.length ? `time // ${day} in (${days.map(integer).join(', ')})` : 'false'
    const raws = [...new Set(days.flatMap((d) => filesOf(manifest, ['raw'], Math.max(start, d * day), Math.min(end, (d + 1) * day))))]
    const condition = where(points, start, end)
    const fresh = days.length
      ? `${open} union all ${settled(engine, raws, `${condition} and ${ofDays}`)}`
      : 'select * from late where false'
    const known = holds.length ? `select point, time, read, first_at, last_at from ${parquet(engine, holds)} where ${condition}` : ''
    // Retention may have left nothing but the roll-up, also of a day that a late reading touched.
    const rolled = rolls.length
      ? `union all select r.point, r.time, min, max, first, last, count,
           ${known ? 'if(h.read = r.rows and r.count = r.rows, r.time + h.first_at, null), if(h.read = r.rows and r.count = r.rows, r.time + h.last_at, null)' : 'null, null'}
         from (select ${unpacked} from ${parquet(engine, rolls)} where ${condition}) r ${known ? `left join (${known}) h using (point, time)` : ''}
         where count > 0 ${days.length ? 'and (r.point, r.time) not in (select (point, time) from fresh)' : ''}`
      : ''
    const sql = `
      with fresh as materialized (${ofReadings(fresh)})
      select point::double, time::double, min, max, first, last, count::double, first_at::double, last_at::double
      from (select * from fresh ${rolled}) order by 1, 2`
    return marksOf(await numbersInPieces((await chunksOf(db, sql)).chunks, 9))
  })
