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

/** Values known up to each place: how many, their sum and that of their squares. */
type Sums = { n: Float64Array; x: Float64Array; xx: Float64Array }
/** A column around its mean: coefficients are the same, and sums stay exact. Unknown values are 0, at the places of `gaps`. */
type Centred = Sums & { values: Float64Array; isKnown: Uint8Array; gaps: readonly number[] }

const centred = (column: Column): Centred => {
  const known = column.filter((value): value is number => value !== null)
  const mean = known.reduce((sum, value) => sum + value / known.length, 0)
  const sums = () => new Float64Array(column.length + 1)
  const [n, x, xx] = [sums(), sums(), sums()]
  const values = Float64Array.from(column, (value) => (value === null ? 0 : value - mean))
  for (const [i, value] of values.entries()) {
    n[i + 1] = n[i]! + Number(column[i] !== null)
    x[i + 1] = x[i]! + value
    xx[i + 1] = xx[i]! + value * value
  }
  const isKnown = Uint8Array.from(column, (value) => Number(value !== null))
  return { n, x, xx, values, isKnown, gaps: column.flatMap((value, i) => (value === null ? [i] : [])) }
}

type Window = { count: number; sum: number; squares: number; spread: number }
const withSpread = (count: number, sum: number, squares: number): Window => ({
  ...{ count, sum, squares },
  spread: squares - (sum * sum) / count,
})
type Place = { lag: number; from: number; to: number }

/** Values from one place to another whose partners, `lag` places later, are known, too. */
const windowOf = (of: Centred, partner: Centred, { lag, from, to }: Place): Window => {
  let [count, sum, squares] = [of.n[to]! - of.n[from]!, of.x[to]! - of.x[from]!, of.xx[to]! - of.xx[from]!]
  for (const gap of partner.gaps) {
    const i = gap - lag
    if (i < from || i >= to || !of.isKnown[i]) continue
    const value = of.values[i]!
    count--
    sum -= value
    squares -= value * value
  }
  const quick = withSpread(count, sum, squares)
  // Differences of large sums keep too few digits of what hardly moves.
  return quick.spread > leastShare * of.xx.at(-1)! ? quick : windowByValue(of, partner, { lag, from, to })
}
const leastShare = 1e-4
const windowByValue = (of: Centred, partner: Centred, { lag, from, to }: Place): Window => {
  let [count, sum, squares] = [0, 0, 0]
  for (let i = from; i < to; i++) {
    if (!of.isKnown[i] || !partner.isKnown[i + lag]) continue
    count++
    sum += of.values[i]!
    squares += of.values[i]! ** 2
  }
  return withSpread(count, sum, squares)
}
// What does not move but for the last digits moves with nothing.
const isStill = ({ spread, squares }: Window) => spread <= 1e-12 * squares || spread <= 0

/** Products of values and their partners; four sums, since an addition waits for the one before. */
const productsOf = ({ values: a }: Centred, { values: b }: Centred, { lag, from, to }: Place) => {
  let [p, q, r, s] = [0, 0, 0, 0]
  let i = from
  for (; i + 3 < to; i += 4) {
    p += a[i]! * b[i + lag]!
    q += a[i + 1]! * b[i + 1 + lag]!
    r += a[i + 2]! * b[i + 2 + lag]!
    s += a[i + 3]! * b[i + 3 + lag]!
  }
  for (; i < to; i++) p += a[i]! * b[i + lag]!
  return p + q + r + s
}

/** Far from the mean of their columns, sums of squares and products keep too few digits: values are centred once more. */
const isFar = ({ spread, squares }: Window) => squares > 1e6 * spread
const coefficientByValue = (a: Centred, b: Centred, { lag, from, to }: Place, x: Window, y: Window) => {
  const [mx, my] = [x.sum / x.count, y.sum / y.count]
  let [xx, yy, xy] = [0, 0, 0]
  for (let i = from; i < to; i++) {
    if (!a.isKnown[i] || !b.isKnown[i + lag]) continue
    const [dx, dy] = [a.values[i]! - mx, b.values[i + lag]! - my]
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  return xy / Math.sqrt(xx * yy)
}

/** Pearson's coefficient at a lag, without keeping pairs: a matrix asks for tens of thousands. */
const coefficientOf = (a: Centred, b: Centred, lag: number): number | null => {
  const place = { lag, from: Math.max(0, -lag), to: Math.min(a.values.length, b.values.length - lag) }
  if (place.to - place.from < leastPairs) return null
  const x = windowOf(a, b, place)
  if (x.count < leastPairs || isStill(x)) return null
  const y = windowOf(b, a, { lag: -lag, from: place.from + lag, to: place.to + lag })
  if (isStill(y)) return null
  const r =
    isFar(x) || isFar(y)
      ? coefficientByValue(a, b, place, x, y)
      : (productsOf(a, b, place) - (x.sum * y.sum) / x.count) / Math.sqrt(x.spread * y.spread)
  return Math.max(-1, Math.min(1, r))
}

export type Link = { r: number; lag: number }
/** At which lag, up to `most` buckets to either side, both move together the most; of equal ones the nearest. */
export const linksOf = (columns: readonly Column[], most: number): (Link | null)[][] => {
  const all = columns.map(centred)
  const linkOf = (a: Centred, b: Centred) => {
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
