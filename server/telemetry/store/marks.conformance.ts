import type { createOracle } from './oracle.ts'
import { quarter, type Store } from './store.ts'

/** Marks of quarter-hours are those of single readings; a moment is left open only where a reading without a value is among them. */
export const marksBeside = async (store: Store, oracle: ReturnType<typeof createOracle>, [from, to]: readonly [number, number]) => {
  const [start, end] = [Math.floor(from / quarter) * quarter, Math.ceil(to / quarter) * quarter]
  const marks = await store.marks([1, 3, 2], start, end)
  const buckets = oracle.buckets([1, 2, 3], start, end, { ms: quarter, origin: start })
  const moment = (point: number, at: number, which: 0 | -1) => {
    const [of] = oracle.columns([point], at, at + quarter)
    return of!.time.filter((_, i) => of!.value[i] !== null).at(which)!
  }
  const expected = buckets.flatMap((of) => {
    const some = of.count.flatMap((count, i) => (count ? [i] : []))
    const own = marks.find(({ point }) => point === of.point)
    const moments = (which: 0 | -1, given: number[] | undefined) =>
      some.map((i, k) => (Number.isNaN(given?.[k]) && of.rows[i] !== of.count[i] ? Number.NaN : moment(of.point, of.time[i]!, which)))
    const part = <T>(column: readonly T[]) => some.map((i) => column[i]!)
    if (!some.length) return []
    return {
      ...{ point: of.point, time: part(of.time), min: part(of.min), max: part(of.max), first: part(of.first), last: part(of.last) },
      ...{ count: part(of.count), firstAt: moments(0, own?.firstAt), lastAt: moments(-1, own?.lastAt) },
    }
  })
  return [marks, expected] as const
}
