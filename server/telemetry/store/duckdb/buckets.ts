import { offsets, startsOfKeys } from '../../zone.ts'
import { integer, keySql } from '../key.ts'
import { type Buckets, day, readingsBehind, type Step } from '../store.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import type { HotRanges } from './hotRanges.ts'
import { bucketsOf, joined, type Part, partColumns, partsOf, readingColumns, readingsOf } from './parts.ts'
import type { Parts, SegmentCache } from './segmentCache.ts'
import {
  columns,
  combine,
  ends,
  filesOf,
  grainOf,
  holding,
  newestValue,
  rollColumns,
  settled,
  single,
  unpacked,
  unsettled,
  where,
  whereOfTables,
} from './sql.ts'

/** `by`: the connections that answer. */
export type Sources = { engine: Engine; segments: SegmentCache<Parts>; hotRanges: HotRanges; by?: 'read' | 'aside' }
/** Points ascend; start <= time < end, epoch ms. Points with at most `few` readings bring them along. */
export type Asked = { points: readonly number[]; start: number; end: number; step: Step; few: number }
type Db = Parameters<typeof rowsOf>[0]

/** Whole grains of roll-ups in a range; without any the range has none. */
export const grainsOf = ({ start, end, step }: Asked) => {
  const grain = grainOf(step)
  const ms = grain?.ms ?? 1
  const from = grain ? Math.ceil(start / ms) * ms : end
  const to = grain ? Math.max(from, Math.floor(end / ms) * ms) : end
  return { grain, ms, from, to }
}

/** What a question comes to, given the files there are. */
const planOf = (engine: Engine, everything: readonly Entry[], asked: Asked) => {
  const { points, start, end, step } = asked
  const manifest = holding(everything, points)
  const spans = 'unit' in step ? offsets(step.zone, start, end) : []
  const key = keySql(step, spans)
  const { grain, ms, from, to } = grainsOf(asked)
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

const isFew = (buckets: Buckets, { few }: Asked) => readingsBehind(buckets) <= few

/** The answer, where all of its parts are cached: closed files only, no table or segment with rows of the range, and no readings to bring along. */
export const known = (sources: Sources, asked: Asked): Buckets[] | undefined => {
  const answer = whole(sources, asked)
  return answer?.some((buckets) => isFew(buckets, asked)) ? undefined : answer
}
const whole = ({ engine, segments, hotRanges }: Sources, asked: Asked): Buckets[] | undefined => {
  const everything = engine.manifest()
  const { start, end } = asked
  if (!everything || hotRanges.touches(start, end) || filesOf(everything, ['segment'], start, end).length) return
  const { files, edges, alone, answer } = planOf(engine, everything, asked)
  if (edges.length || !files.length) return
  const names = alone(files).map(({ name }) => name)
  const parts = names.map((name) => segments.get(name))
  if (parts.every((part) => part !== undefined)) return answer(parts)
}

/** UTC days of unsettled rows, whose roll-ups are partly outdated. */
const freshDays = async (db: Db, fresh: string) =>
  (await rowsOf<{ day: number }>(db, `select distinct (time // ${day})::double as day from (${fresh})`)).map((row) => row.day * day)

const toDay = (time: number) => Math.floor(time / day) * day

/** One asked for, and the number under which the rows of its first point are read: the others follow. */
type Placed = { asked: Asked; slot: number }

/**
 * Answers several questions of one step, and with the same whole grains, at once: what is unsettled lies in tables by arrival, which
 * one look goes through for all. A question's points have numbers of their own in it ("slots"), so that two may ask for the same point.
 */
export const readTogether = async (
  { engine, segments, hotRanges }: Sources,
  questions: readonly Asked[],
  db: Db,
  everything: readonly Entry[],
): Promise<{ answers: Buckets[][]; rows: number }> => {
  const placed: Placed[] = []
  for (const asked of questions) placed.push({ asked, slot: placed.reduce((sum, p) => sum + p.asked.points.length, 0) })
  const { step, few } = questions[0]!
  const all: Asked = {
    points: [...new Set(questions.flatMap((q) => q.points))].sort((a, b) => a - b),
    start: Math.min(...questions.map((q) => q.start)),
    end: Math.max(...questions.map((q) => q.end)),
    step,
    few,
  }
  const { points, start, end } = all
  const { manifest, grain, ms, from, to, key, files, edges } = planOf(engine, everything, all)
  const slots = placed.flatMap(({ asked, slot }) => asked.points.map((point, i) => ({ slot: slot + i, point, asked })))
  const slotsSql = (some: typeof slots) => {
    const values = some.map(({ slot, point, asked }) => `(${slot}, ${integer(point)}, ${integer(asked.start)}, ${integer(asked.end)})`)
    return `asked(slot, p, low, high) as (values ${values.join(', ')})`
  }
  /** Rows of points as rows of slots, each within its own range. */
  const slotted = (rows: string, of = columns) =>
    `select slot as ${of} from (${rows}) join asked on p = point where time >= low and time < high`

  const condition = where(points, start, end)
  const fresh = unsettled(engine, manifest, start, end, condition, whereOfTables(points, start, end))
  const raws = filesOf(manifest, ['raw'], start, end)
  const settledThere = files.length > 0 || raws.length > 0
  // Where no settled file is of a day that tables and segments may have rows of, there is nothing to find out.
  const doubtful = [...hotRanges.spans(), ...manifest.filter((entry) => entry.kind === 'segment')].filter(
    (s) => s.start < end && s.end > start,
  )
  const inDoubt = (entry: Entry) => doubtful.some((s) => toDay(s.start) < entry.end && toDay(s.end - 1) + day > entry.start)
  const asks = grain && manifest.some((entry) => (files.includes(entry) || raws.includes(entry.file)) && inDoubt(entry))
  const days = asks ? await freshDays(db, fresh) : []
  const touched = (entry: Entry) => days.some((d) => d < entry.end && d + day > entry.start)

  const untouched = files.filter((entry) => !touched(entry))
  const own = placed.map(({ asked }) => ({ asked, plan: planOf(engine, everything, asked) }))
  const kept: Map<number, Part>[][] = []
  for (const { plan } of own) {
    const parts: Map<number, Part>[] = []
    for (const { name, sql } of plan.alone(plan.files.filter((entry) => untouched.includes(entry))))
      parts.push(segments.get(name) ?? segments.put(name, await partsOf(db, sql)))
    kept.push(parts)
  }

  const raw = new Set([...edges, ...days.flatMap((d) => filesOf(manifest, ['raw'], Math.max(start, d), Math.min(end, d + day)))])
  const rolled = files.filter(touched).map((entry) => entry.file)
  /** Answers, and the readings of points that have few: as they came with the buckets, or out of all that there is. */
  const withReadings = async (answers: Buckets[][], there?: ReadonlyMap<number, Part>) => {
    const slotOf = (i: number, { point }: Buckets) => placed[i]!.slot + placed[i]!.asked.points.indexOf(point)
    const short = answers.flatMap((of, i) => of.filter((b) => isFew(b, all)).map((b) => slots[slotOf(i, b)]!))
    if (!short.length) return answers
    const found = there ?? (await readingsIn(short))
    return answers.map((of, i) => of.map((b) => (isFew(b, all) ? { ...b, readings: readingsOf(found, slotOf(i, b)) } : b)))
  }
  const readingsIn = (some: typeof slots) => {
    const theirs = [...new Set(some.map(({ point }) => point))].sort((a, b) => a - b)
    const condition = where(theirs, start, end)
    const rows = `${unsettled(engine, manifest, start, end, condition, whereOfTables(theirs, start, end))}
      union all ${settled(engine, raws, condition)}`
    return partsOf(db, `with ${slotsSql(some)} select ${readingColumns} from (${newestValue(slotted(rows))}) order by point, key`)
  }
  const nothingElse = grain && settledThere && !(asks ? days : doubtful).length && !raw.size && !rolled.length
  if (nothingElse) {
    const answers = own.map(({ plan }, i) => plan.answer(kept[i]!))
    return { answers: await withReadings(answers), rows: 0 }
  }
  const inDirty = `(point, time // ${ms}) in (select (point, grain) from dirty)`
  // Not where a grain is dirty: retention may have left nothing but the roll-up.
  const isRead = `(point, time // ${ms}) in (select (point, time // ${ms}) from old)`
  const emptyRoll = `(${single('select * from late')})`
  const oldRows = slotted(settled(engine, [...raw], condition))
  const rolls = slotted(settled(engine, rolled, where(points, from, to), unpacked, emptyRoll), rollColumns)
  /** Where all there is are rows of tables and segments, one look through them finds readings as well. */
  const brought = few > 0 && !settledThere
  const fewOf = `few as (select point from parts group by point having count(*) <= ${integer(few)})`
  const readings = `select ${readingColumns} from (select point, time, sum as value from parts where point in (select point from few))`
  const sql = `
    with ${slotsSql(slots)},
    fresh as materialized (${slotted(fresh)}),
    dirty as materialized (select distinct point, time // ${ms} as grain from fresh),
    old as ${rolled.length ? 'materialized ' : ''}(select * from (${oldRows}) where time < ${from} or time >= ${to} or ${inDirty}),
    parts as ${brought ? 'materialized ' : ''}(
      select ${rollColumns} from (${single(newestValue(`select ${columns} from fresh union all select ${columns} from old`))})
      union all select * from (${rolls}) where not ${isRead})${brought ? `, ${fewOf}` : ''}
    select ${partColumns} from (${combine('select * from parts', key, ends)})
    ${brought ? `union all ${readings}` : ''} order by point, key`
  const found = await partsOf(db, sql)
  let rows = 0
  for (const { slot } of slots) for (const n of found.get(slot)?.rows ?? []) rows += n
  const answers = placed.map(({ asked, slot }, i) => {
    const mine = new Map(asked.points.flatMap((point, k) => (found.has(slot + k) ? [[point, found.get(slot + k)!] as const] : [])))
    return own[i]!.plan.answer([...kept[i]!, mine])
  })
  return { answers: await withReadings(answers, brought ? found : undefined), rows }
}
