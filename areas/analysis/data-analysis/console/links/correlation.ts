// How two points move together, at the same time or one after the other. Pure.

export type Column = readonly (number | null)[]
const leastPairs = 10

type Pair = { x: number; y: number; i: number }
/** Values of both at the same time, or of the second so many buckets later. */
export const pairsOf = (a: Column, b: Column, lag: number): Pair[] => {
  const pairs: Pair[] = []
  for (let i = Math.max(0, -lag); i < a.length && i + lag < b.length; i++) {
    const [x, y] = [a[i], b[i + lag]]
    if (typeof x === 'number' && typeof y === 'number') pairs.push({ x, y, i })
  }
  return pairs
}

/** The straight line of least squares, and how well it fits: Pearson's coefficient. Null where one of both does not move. */
export const lineOf = (pairs: readonly Pair[]): { r: number; slope: number; offset: number; count: number } | null => {
  const n = pairs.length
  if (n < leastPairs) return null
  let [mx, my] = [0, 0]
  for (const { x, y } of pairs) {
    mx += x / n
    my += y / n
  }
  let [xx, yy, xy] = [0, 0, 0]
  for (const { x, y } of pairs) {
    xx += (x - mx) ** 2
    yy += (y - my) ** 2
    xy += (x - mx) * (y - my)
  }
  const tiny = 1e-18
  if (xx <= tiny * n * Math.max(1, mx * mx) || yy <= tiny * n * Math.max(1, my * my)) return null
  const slope = xy / xx
  return { r: Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy))), slope, offset: my - slope * mx, count: n }
}

/** A column around its mean; NaN where nothing is known. Coefficients are the same, and sums stay exact. */
const centred = (column: Column) => {
  const known = column.filter((value): value is number => value !== null)
  const mean = known.reduce((sum, value) => sum + value / known.length, 0)
  return Float64Array.from(column, (value) => (value === null ? Number.NaN : value - mean))
}

/** Pearson's coefficient at a lag, without keeping pairs: a matrix asks for tens of thousands. */
const coefficientOf = (a: Float64Array, b: Float64Array, lag: number): number | null => {
  let [n, x, y, xx, yy, xy] = [0, 0, 0, 0, 0, 0]
  for (let i = Math.max(0, -lag), last = Math.min(a.length, b.length - lag); i < last; i++) {
    const [p, q] = [a[i]!, b[i + lag]!]
    if (Number.isNaN(p + q)) continue
    n++
    x += p
    y += q
    xx += p * p
    yy += q * q
    xy += p * q
  }
  if (n < leastPairs) return null
  const [vx, vy] = [xx - (x * x) / n, yy - (y * y) / n]
  // What does not move but for the last digits moves with nothing.
  if (vx <= 1e-12 * xx || vy <= 1e-12 * yy || vx <= 0 || vy <= 0) return null
  return Math.max(-1, Math.min(1, (xy - (x * y) / n) / Math.sqrt(vx * vy)))
}

export type Link = { r: number; lag: number }
/** At which lag, up to `most` buckets to either side, both move together the most; of equal ones the nearest. */
export const linksOf = (columns: readonly Column[], most: number): (Link | null)[][] => {
  const all = columns.map(centred)
  const linkOf = (a: Float64Array, b: Float64Array) => {
    let best: Link | null = null
    for (let step = 0; step <= most; step++)
      for (const lag of step ? [step, -step] : [0]) {
        const r = coefficientOf(a, b, lag)
        if (r !== null && (!best || Math.abs(r) > Math.abs(best.r) + 1e-9)) best = { r, lag }
      }
    return best
  }
  return all.map((a, i) => all.map((b, k) => (k > i ? linkOf(a, b) : null)))
}

/** Means by bucket, in the place of their time. */
export const columnOf = (
  series: { Time: readonly number[]; Mean?: Column | undefined; Avg: Column } | undefined,
  start: number,
  step: number,
  length: number,
): Column => {
  const column = new Array<number | null>(length).fill(null)
  for (const [i, time] of (series?.Time ?? []).entries()) {
    const at = Math.round((time - start) / step)
    if (at >= 0 && at < length) column[at] = series!.Mean?.[i] ?? series!.Avg[i] ?? null
  }
  return column
}

const widths = [60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000]
const mostBuckets = 1000
/** The narrowest bucket of which there are not too many. */
export const widthOf = (span: number) => widths.find((width) => span / width <= mostBuckets) ?? widths.at(-1)!
