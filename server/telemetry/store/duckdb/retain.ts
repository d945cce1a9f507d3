import { integer } from '../key.ts'
import type { Cutoff } from '../store.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import { enter, removeEntries, writeTemporary } from './segments.ts'
import { holding, parquet } from './sql.ts'

const list = (points: readonly number[]) => points.map(integer).join(', ')

/** Removes rows of tables at once, and of files that end before a cutoff: a file nobody needs goes, others are written anew. */
export const retainRows = async (engine: Engine, cutoffs: readonly Cutoff[]) => {
  for (const { points, before } of cutoffs.filter((cutoff) => cutoff.points.length)) {
    const old = Number.isFinite(before) ? `and time < ${integer(before)}` : ''
    const manifest = await engine.keep(async (db) => {
      const entries = await rowsOf<Entry>(db, 'select * from manifest')
      const tables = ['late', 'latest', ...entries.filter((entry) => entry.kind === 'hot').map((entry) => entry.file)]
      for (const table of tables) await db.run(`delete from ${table} where point in (${list(points)}) ${old}`)
      return entries
    })
    for (const entry of holding(manifest, points)) if (entry.kind !== 'hot' && entry.end <= before) await cutFile(engine, entry, points)
  }
}

const cutFile = async (engine: Engine, entry: Entry, points: readonly number[]) => {
  const gone = await engine.keep(async (db) => {
    const file = parquet(engine, [entry.file])
    const [sum] = await rowsOf<{ out: number; all: number }>(
      db,
      `select count(*) filter (point in (${list(points)}))::double as out, count(*)::double as all from ${file}`,
    )
    if (!sum!.out) return []
    await removeEntries(db, [entry.file])
    if (sum!.out < sum!.all) {
      const kept = `select * from ${file} where point not in (${list(points)}) order by point, time`
      await enter(engine, db, entry.kind, await writeTemporary(engine, db, kept), entry)
    }
    return [entry.file]
  })
  engine.discard(gone)
}
