// Values of formula points over time (docs/figures.md). They are computed on demand, on a grid: the last reading of each step,
// which holds like that of any point, goes through the formula.
import { setImmediate } from 'node:timers/promises'
import { compile, type Reading } from '../../../contract/expression/compile.ts'
import { keyOf, partsOf, type Tree } from '../../../contract/expression/parse.ts'
import { day, hour, minute, type PointReadings, quarter } from '../store/store.ts'
import type { Source } from './folding.ts'

/** A formula over stored points alone: other formulas in it are put in by their trees. `holds`: ms, by point. */
export type Formula = { id: number; tree: Tree; holds: ReadonlyMap<number, number> }

/** Values by step, NaN for none; `fresh`: there was a reading, or one without a value. */
type Column = { value: Float64Array; fresh: Uint8Array }
type Grid = { ms: number; start: number; steps: number }

/** Widths of steps; the finest that does with so many. */
const widths = [1000, 10_000, minute, quarter, hour, day]
const mostSteps = 25_000
/** A formula of 2,000 parts takes seconds: others have their turns after so many ms, looked at after so many steps. */
const [sliceMs, stepsBetween] = [10, 16]
/** How far before a range its first value may lie, at most. */
const longestHold = 3 * day
const oldest = Date.UTC(2000, 0, 1)
const good = 0
/** No value: its points have none, or they have and the formula has none. */
const [unknown, failed] = [2, 3]
export const failedQuality = failed

/** How far back a formula looks, ms. */
const reachOf = (tree: Tree): number => (tree.kind === 'history' ? tree.ms : 0) + Math.max(0, ...partsOf(tree).map(reachOf))

export const widthFor = (ms: number) => widths.find((width) => ms / width <= mostSteps) ?? day

/** Parts that look back: each keeps a column, too. */
const historiesIn = (tree: Tree): number => partsOf(tree).reduce((sum, part) => sum + historiesIn(part), Number(tree.kind === 'history'))
/** Columns allowed at the finest grid. With more, the grid gets coarser to limit memory. */
const mostColumns = 40

/** Last readings before a grid, with the step up to which they hold. Their time is known to a 2,000th of the longest hold. */
const heldBefore = async (store: Source, ids: readonly number[], holds: ReadonlyMap<number, number>, { ms, start }: Grid) => {
  const longest = Math.min(longestHold, Math.max(0, ...holds.values()))
  const width = Math.max(ms, widths.find((one) => longest / one <= 2000) ?? day)
  const from = Math.max(oldest, start - Math.ceil(longest / width) * width)
  const held = new Map<number, { value: number; until: number }>()
  if (!ids.length || from >= start) return held
  for (const { point, time, last, count } of await store.buckets(ids, from, start, { ms: width, origin: from }))
    if (count.at(-1)!) held.set(point, { value: last.at(-1)!, until: Math.floor((time.at(-1)! + holds.get(point)! - start) / ms) })
  return held
}

/** Last values of points by step, each held until the next one, at most as long as it may. */
const columnsOf = async (store: Source, holds: ReadonlyMap<number, number>, { ms, start, steps }: Grid) => {
  const ids = [...holds.keys()].sort((a, b) => a - b)
  const found = ids.length ? await store.buckets(ids, start, start + steps * ms, { ms, origin: start }) : []
  const before = await heldBefore(store, ids, holds, { ms, start, steps })
  const columns = new Map(
    ids.map((id): [number, Column] => [id, { value: new Float64Array(steps).fill(Number.NaN), fresh: new Uint8Array(steps) }]),
  )
  const firsts = new Map(found.map(({ point, time }) => [point, Math.round((time[0]! - start) / ms)]))
  for (const [id, { value, until }] of before) columns.get(id)!.value.fill(value, 0, Math.max(0, Math.min(until, firsts.get(id) ?? steps)))
  for (const { point, time, last, count } of found) {
    const { value, fresh } = columns.get(point)!
    const longest = Math.max(1, Math.floor(holds.get(point)! / ms))
    for (const [i, at] of time.entries()) {
      const from = Math.round((at - start) / ms)
      const until = i + 1 < time.length ? Math.round((time[i + 1]! - start) / ms) : steps
      fresh[from] = 1
      if (count[i]) value.fill(last[i]!, from, Math.min(until, from + longest))
    }
  }
  return columns
}

const back: Record<(Tree & { kind: 'history' })['name'], (of: Float64Array, steps: number, ms: number) => Float64Array> = {
  shift: (of, n) => of.map((_, i) => of[i - n] ?? Number.NaN),
  diff: (of, n) => of.map((value, i) => value - (of[i - n] ?? Number.NaN)),
  rate: (of, n, ms) => of.map((value, i) => (value - (of[i - n] ?? Number.NaN)) / ((n * ms) / hour)),
  // Time without a value adds nothing.
  integral: (of, n, ms) => {
    const result = new Float64Array(of.length).fill(Number.NaN)
    let [sum, known] = [0, 0]
    for (let i = 0; i < of.length; i++) {
      const [value, gone] = [of[i]!, of[i - n] ?? Number.NaN]
      if (!Number.isNaN(value)) [sum, known] = [sum + value, known + 1]
      if (!Number.isNaN(gone)) [sum, known] = [sum - gone, known - 1]
      if (known) result[i] = (sum * ms) / hour
    }
    return result
  },
}

/** The values of a tree by step. Columns of what looks back take the place of those parts, under names that no formula can write. */
const valuesOf = async (tree: Tree, columns: ReadonlyMap<number, Column>, { ms, steps }: Grid): Promise<Float64Array> => {
  const byKey = new Map([...columns].map(([id, { value }]) => [keyOf({ id }), value]))
  const flat = async (one: Tree): Promise<Tree> => {
    switch (one.kind) {
      case 'history': {
        const of = await evaluate(await flat(one.of))
        const name = `@${byKey.size}`
        byKey.set(keyOf({ name }), back[one.name](of, Math.max(1, Math.round(one.ms / ms)), ms))
        return { kind: 'reference', of: { name } }
      }
      case 'operator':
        return { ...one, left: await flat(one.left), right: await flat(one.right) }
      case 'function': {
        const of: Tree[] = []
        for (const part of one.of) of.push(await flat(part))
        return { ...one, of }
      }
      case 'not':
      case 'minus':
        return { ...one, of: await flat(one.of) }
      default:
        return one
    }
  }
  let pause = performance.now() + sliceMs
  const evaluate = async (one: Tree) => {
    const run = compile(one)
    const result = new Float64Array(steps)
    const reading: Reading = { value: null, quality: good, age: null, alarm: null }
    let at = 0
    const read = (key: string) => {
      const value = byKey.get(key)?.[at] ?? Number.NaN
      reading.value = Number.isNaN(value) ? null : value
      return reading
    }
    for (; at < steps; at++) {
      if (at % stepsBetween === 0 && performance.now() > pause) {
        await setImmediate()
        pause = performance.now() + sliceMs
      }
      result[at] = run(read) ?? Number.NaN
    }
    return result
  }
  return evaluate(await flat(tree))
}

const looksBack = (tree: Tree) => reachOf(tree) > 0

/**
 * Readings of a formula in a range: where one of its points had a reading, and where its value goes; in every step, where it looks back.
 * A step in which its points have values and the formula has none, such as a division by zero, is a reading without a value.
 */
export const formulaReadings = async (
  store: Source,
  { id, tree, holds }: Formula,
  from: number,
  to: number,
  now: number,
): Promise<PointReadings> => {
  const reach = reachOf(tree)
  const [first, end] = [Math.max(oldest, from), Math.min(to, now)]
  const readings: PointReadings = { point: id, time: [], value: [], quality: [] }
  if (end <= first) return readings
  const ms = widthFor((end - first + reach) * Math.max(1, (holds.size + historiesIn(tree)) / mostColumns))
  const start = Math.floor(Math.max(oldest, first - reach) / ms) * ms
  const grid = { ms, start, steps: Math.ceil((end - start) / ms) }
  const columns = await columnsOf(store, holds, grid)
  const values = await valuesOf(tree, columns, grid)
  const all = [...columns.values()]
  const isEvery = looksBack(tree)
  let before = Number.NaN
  for (let i = Math.ceil((first - start) / ms); i < grid.steps; i++) {
    const value = values[i]!
    const isFresh = all.some(({ fresh }) => fresh[i] === 1)
    const isFailed = Number.isNaN(value) && all.length > 0 && all.every((column) => !Number.isNaN(column.value[i]!))
    const isGone = Number.isNaN(value) && !Number.isNaN(before)
    if (Number.isNaN(value) ? (isFresh && isFailed) || isGone : isFresh || isEvery || Number.isNaN(before)) {
      readings.time.push(start + i * ms)
      readings.value.push(Number.isNaN(value) ? null : value)
      readings.quality.push(!Number.isNaN(value) ? good : isFailed ? failed : unknown)
    }
    before = value
  }
  return readings
}

/** A formula's values hold until the next one, or until it has none. */
export const formulaExpected = [{ until: Number.POSITIVE_INFINITY, ms: day }] as const
