import { integer } from '../key.ts'
import type { Cutoff } from '../store.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import { registerSegment, removeEntries, writeTemporary } from './segments.ts'
import { holding, parquet } from './sql.ts'

const list = (points: readonly number[]) => points.map(integer).join(', ')

/**
 * Removes rows of tables at once, and of files that end before a cutoff: files without remaining rows are deleted, others rewritten. What is
 * not rolled up yet waits for that where roll-ups are kept longer.
 */
export const retainRows = async (engine: Engine, cutoffs: readonly Cutoff[]) => {
  for (const { points, before, rollups = before } of cutoffs.filter((cutoff) => cutoff.points.length)) {
    const older = (than: number) => (Number.isFinite(than) ? `and time < ${integer(than)}` : '')
    const manifest = await engine.keep(async (db) => {
      const entries = await rowsOf<Entry>(db, 'select * from manifest')
      const tables = ['late', ...entries.filter((entry) => entry.kind === 'hot').map((entry) => entry.file)]
      for (const table of tables) await db.run(`delete from ${table} where point in (${list(points)}) ${older(rollups)}`)
      await db.run(`delete from latest where point in (${list(points)}) ${older(before)}`)
      return entries
    })
    const over = ({ kind, end }: Entry) => kind !== 'hot' && end <= (kind === 'raw' ? before : rollups)
    for (const entry of holding(manifest, points)) if (over(entry)) await cutFile(engine, entry, points)
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
      await registerSegment(engine, db, entry.kind, await writeTemporary(engine, db, kept), entry)
    }
    return [entry.file]
  })
  engine.discard(gone)
}
