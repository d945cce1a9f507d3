import type { Stored } from '../../sample.ts'
import { integer } from '../key.ts'
import { type Engine, rowsOf } from './engine.ts'
import { filesOf, holding, newest, settled, unsettled, where, whereLoose } from './sql.ts'

const asNumbers = 'point::double as point, time::double as time, value, quality::double as quality, n::double as n'

export const readRows = (engine: Engine, points: readonly number[], start: number, end: number, limit: number) =>
  engine.read((db, everything) => {
    const manifest = holding(everything, points)
    const condition = where(points, start, end)
    const all = `${unsettled(engine, manifest, start, end, condition, whereLoose(points, start, end))} union all
      ${settled(engine, filesOf(manifest, ['raw'], start, end), condition)}`
    return rowsOf<Stored>(db, `select ${asNumbers} from (${newest(all)}) order by point, time limit ${integer(limit)}`)
  })

/** Newest time of each point: what merges have noted, and what came since. */
export const readLatest = (engine: Engine) =>
  engine.read((db, manifest) => {
    const all = `select point, time, value, quality, n, true as live from latest union all
      ${unsettled(engine, manifest, 0, Number.MAX_SAFE_INTEGER, 'true')}`
    return rowsOf<Stored>(
      db,
      `select ${asNumbers} from (select unnest(arg_max(struct_pack(point, time, value, quality, n), (time, n))) from (${all}) group by point)`,
    )
  })

/** Newest live readings that came after the last one later than `believed`. */
export const readReturned = (engine: Engine, points: readonly number[], believed: number) =>
  engine.read((db, manifest) => {
    const some = `point in (${points.map(integer).join(', ')}) and live`
    return rowsOf<Stored>(
      db,
      `with rows as materialized (${unsettled(engine, holding(manifest, points), 0, Number.MAX_SAFE_INTEGER, some)}),
       ahead as (select point as p, max(n) as last from rows where time > ${integer(believed)} group by point)
       select ${asNumbers} from (select unnest(arg_max(struct_pack(point, time, value, quality, n), (time, n)))
         from rows join ahead on point = p where n > last group by point)`,
    )
  })
