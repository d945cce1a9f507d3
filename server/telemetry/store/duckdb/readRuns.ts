import { inSlices } from '../../../jobs/ownTurn.ts'
import { day, type Held, type RunLengths } from '../store.ts'
import type { Engine, Entry } from './engine.ts'
import type { HotRanges } from './hotRanges.ts'
import { readRunLengths, runLengthsIn } from './reads.ts'
import type { SegmentCache } from './segmentCache.ts'
import { filesOf, holding } from './sql.ts'

/** Whole days that are settled, and the runs in them. */
export type SettledRuns = { from: number; until: number; runs: RunLengths[] }
export const bytesOfRuns = ({ runs }: SettledRuns) => 500 + runs.reduce((sum, { first }) => sum + 400 + first.length * 48, 0)

type Deps = { engine: Engine; ranges: HotRanges; cache: SegmentCache<SettledRuns>; by: 'read' | 'aside' }
type Range = { start: number; end: number; cut: number }

/** Concatenates the runs of consecutive pieces, joining a run that continues across a boundary. */
const joined = async (points: readonly Held[], cut: number, pieces: readonly RunLengths[][]): Promise<RunLengths[]> => {
  const longest = new Map(points.map(({ point, ms }) => [point, ms]))
  const answer = new Map<number, RunLengths>()
  for (const { point, first, last, value, quality, rows } of pieces.flat()) {
    const to = answer.get(point)
    if (!to) {
      answer.set(point, { point, first: [...first], last: [...last], value: [...value], quality: [...quality], rows: [...rows] })
      continue
    }
    const at = to.last.length - 1
    const goesOn =
      to.value[at] === value[0] &&
      to.quality[at] === quality[0] &&
      first[0]! - to.last[at]! <= longest.get(point)! &&
      !(first[0]! >= cut && to.last[at]! < cut)
    if (goesOn) {
      to.last[at] = last[0]!
      to.rows[at]! += rows[0]!
    }
    await inSlices(first.length, (from, until) => {
      for (let i = from || Number(goesOn); i < until; i++) {
        to.first.push(first[i]!)
        to.last.push(last[i]!)
        to.value.push(value[i]!)
        to.quality.push(quality[i]!)
        to.rows.push(rows[i]!)
      }
    })
  }
  return [...answer.values()].sort((a, b) => a.point - b.point)
}

/** Runs of states. Settled days are cached by file; the rest is read from the store. */
export const readRuns = async ({ engine, ranges, cache, by }: Deps, points: readonly Held[], range: Range): Promise<RunLengths[]> => {
  const { start, end, cut } = range
  const ids = points.map(({ point }) => point)
  const planOf = (everything: readonly Entry[]) => {
    const manifest = holding(everything, ids)
    const from = Math.ceil(start / day) * day
    const open = [...ranges.spans(), ...manifest.filter(({ kind }) => kind === 'segment')].filter((span) => span.end > from)
    const until = Math.floor(Math.min(end, ...open.map((span) => span.start)) / day) * day
    if (until <= from) return
    const files = filesOf(manifest, ['raw'], from, until)
    return { from, until, key: JSON.stringify([files, points, from, until, cut > from && cut < until ? cut : 0]) }
  }
  const known = engine.manifest()
  const plan = known && planOf(known)
  const settled =
    (plan && cache.get(plan.key)) ??
    (await engine[by](async (db, everything) => {
      const now = planOf(everything)
      if (!now) return
      const runs = await runLengthsIn(engine, { db, everything }, points, { start: now.from, end: now.until, cut, hot: false })
      return cache.put(now.key, { from: now.from, until: now.until, runs })
    }))
  const read = (start: number, end: number): Promise<RunLengths[]> | RunLengths[] =>
    end > start ? readRunLengths(engine, points, { start, end, cut }, { hot: ranges.touches(start, end), by }) : []
  if (!settled) return read(start, end)
  return joined(points, cut, [await read(start, settled.from), settled.runs, await read(settled.until, end)])
}
