import type { Stored } from '../../sample.ts'
import { offsets, startsOfKeys } from '../../zone.ts'
import { integer, keySql } from '../key.ts'
import { type Buckets, day, type Step } from '../store.ts'
import { bucketsOf, type ClosedParts, joined, type Part, partColumns, partsOf } from './closed.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import type { Loose } from './loose.ts'
import {
  columns,
  combine,
  ends,
  filesOf,
  grainOf,
  holding,
  newest,
  newestValue,
  rollColumns,
  settled,
  single,
  unpacked,
  unsettled,
  where,
} from './sql.ts'

/** A day of single readings of so many points, one a second, settles in the memory there is. */
const pointsAtOnce = 20

const asNumbers = 'point::double as point, time::double as time, value, quality::double as quality, n::double as n'

export const readRows = (engine: Engine, points: readonly number[], start: number, end: number, limit: number) =>
  engine.read((db, everything) => {
    const manifest = holding(everything, points)
    const condition = where(points, start, end)
    const all = `${unsettled(engine, manifest, start, end, condition)} union all
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

/** UTC days that unsettled rows touch: roll-ups of some of their grains are not true any more. */
const freshDays = async (db: Parameters<typeof rowsOf>[0], fresh: string) =>
  (await rowsOf<{ day: number }>(db, `select distinct (time // ${day})::double as day from (${fresh})`)).map((row) => row.day * day)

type Sources = { engine: Engine; closed: ClosedParts; loose: Loose }
type Asked = { points: readonly number[]; start: number; end: number; step: Step }

/**
 * Exact buckets from the cheapest sources. Roll-ups serve whole grains that no unsettled row touches; single readings serve the
 * rest: the two edges of the range, and grains with hot or late rows. What closed files give whole is kept in `closed`; where
 * there is nothing else to a range, DuckDB is not asked again.
 */
export const readBuckets = async (
  sources: Sources,
  points: readonly number[],
  start: number,
  end: number,
  step: Step,
): Promise<Buckets[]> => {
  const sorted = [...new Set(points)].sort((a, b) => a - b)
  // Counted from the same instants wherever the range begins: what is kept serves the next range too.
  const even = 'ms' in step ? { ms: step.ms, origin: step.origin % step.ms } : step
  const answer: Buckets[] = []
  for (let i = 0; i < sorted.length; i += pointsAtOnce) {
    const asked = { points: sorted.slice(i, i + pointsAtOnce), start, end, step: even }
    answer.push(...(known(sources, asked) ?? (await readSome(sources, asked))))
  }
  return answer
}

/** What a question comes to, given the files there are. */
const planOf = (engine: Engine, everything: readonly Entry[], { points, start, end, step }: Asked) => {
  const manifest = holding(everything, points)
  const spans = 'unit' in step ? offsets(step.zone, start, end) : []
  const key = keySql(step, spans)
  const grain = grainOf(step)
  const ms = grain?.ms ?? 1
  const from = grain ? Math.ceil(start / ms) * ms : end
  const to = grain ? Math.max(from, Math.floor(end / ms) * ms) : end
  /** Roll-ups of the range's whole grains. */
  const files = manifest.filter((entry) => entry.kind === grain?.kind && entry.start < to && entry.end > from)
  const edges = [
    ...(start < from ? filesOf(manifest, ['raw'], start, Math.min(from, end)) : []),
    ...(to < end ? filesOf(manifest, ['raw'], Math.max(to, start), end) : []),
  ]
  /** Files that are read alone: by name, and where the range cuts them by the cut. */
  const alone = (entries: readonly Entry[]) => {
    const groups = Map.groupBy(entries, (entry) => (entry.start < from ? 'before' : entry.end > to ? 'after' : 'inside'))
    return [...groups].map(([place, some]) => {
      const names = some.map((entry) => entry.file)
      const rows = settled(engine, names, where(points, from, to), unpacked)
      const sql = `select ${partColumns} from (${combine(rows, key, ends)}) order by point, key`
      return { name: JSON.stringify([names, points, step, place === 'inside' ? [] : [from, to]]), sql }
    })
  }
  const timesOf = (keys: readonly number[]) =>
    'ms' in step ? keys.map((key) => step.origin + key * step.ms) : startsOfKeys(step.unit, spans, keys)
  const answer = (parts: readonly ReadonlyMap<number, Part>[]): Buckets[] =>
    points.flatMap((point) => {
      const part = parts.reduce<Part | undefined>((sum, of) => joined(sum, of.get(point)), undefined)
      return part ? [bucketsOf(point, part, timesOf)] : []
    })
  return { manifest, grain, ms, from, to, key, files, edges, alone, answer }
}

const wholeName = (names: readonly string[], { start, end }: Asked) => JSON.stringify([names, start, end])

/** The answer, where it is kept whole: closed files only, and no table or segment with rows of the range. */
const known = ({ engine, closed, loose }: Sources, asked: Asked): Buckets[] | undefined => {
  const everything = engine.manifest()
  const { start, end } = asked
  if (!everything || loose.touches(start, end) || filesOf(everything, ['segment'], start, end).length) return
  const { files, edges, alone, answer } = planOf(engine, everything, asked)
  if (edges.length || !files.length) return
  const names = alone(files).map(({ name }) => name)
  const whole = closed.answerOf(wholeName(names, asked))
  if (whole) return whole
  const parts = names.map((part) => closed.parts.get(part))
  if (parts.every((part) => part !== undefined)) return closed.keepAnswer(wholeName(names, asked), answer(parts))
}

const readSome = ({ engine, closed }: Sources, asked: Asked): Promise<Buckets[]> =>
  engine.read(async (db, everything) => {
    const { points, start, end } = asked
    const { manifest, grain, ms, from, to, key, files, edges, alone, answer } = planOf(engine, everything, asked)
    const condition = where(points, start, end)
    const fresh = unsettled(engine, manifest, start, end, condition)
    const settledThere = files.length > 0 || filesOf(manifest, ['raw'], start, end).length > 0
    const days = grain && settledThere ? await freshDays(db, fresh) : []
    const touched = (entry: Entry) => days.some((d) => d < entry.end && d + day > entry.start)

    const kept: Map<number, Part>[] = []
    const untouched = alone(files.filter((entry) => !touched(entry)))
    for (const { name, sql } of untouched) kept.push(closed.parts.get(name) ?? closed.parts.put(name, await partsOf(db, sql)))

    const raw = new Set([...edges, ...days.flatMap((d) => filesOf(manifest, ['raw'], Math.max(start, d), Math.min(end, d + day)))])
    const rolled = files.filter(touched).map((entry) => entry.file)
    const inDirty = `(point, time // ${ms}) in (select (point, grain) from dirty)`
    // Not where a grain is dirty: retention may have left nothing but the roll-up.
    const isRead = `(point, time // ${ms}) in (select (point, time // ${ms}) from old)`
    const emptyRoll = `(${single('select * from late')})`
    const sql = `
      with fresh as materialized (${fresh}),
      dirty as materialized (select distinct point, time // ${ms} as grain from fresh),
      old as ${rolled.length ? 'materialized ' : ''}(${settled(engine, [...raw], `${condition} and (time < ${from} or time >= ${to} or ${inDirty})`)}),
      parts as (
        select ${rollColumns} from (${single(newestValue(`select ${columns} from fresh union all select ${columns} from old`))})
        union all ${settled(engine, rolled, `${where(points, from, to)} and not ${isRead}`, unpacked, emptyRoll)})
      select ${partColumns} from (${combine('select * from parts', key, ends)}) order by point, key`
    const nothingElse = grain && settledThere && !days.length && !raw.size && !rolled.length
    if (!nothingElse) return answer([...kept, await partsOf(db, sql)])
    return closed.keepAnswer(
      wholeName(
        untouched.map(({ name }) => name),
        asked,
      ),
      answer(kept),
    )
  })
