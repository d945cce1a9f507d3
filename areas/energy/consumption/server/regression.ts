// Least squares for baselines after ISO 50006: coefficients, how well they fit, and how far a sum of predictions may be off.

export type Fit = {
  /** The constant first, then one for each variable. */
  coefficients: number[]
  /** Inverse of X'X, by rows. */
  inverse: number[][]
  days: number
  /** Standard deviation of what is left. */
  deviation: number
  r2: number
  /** Coefficient of variation of the root mean square error, percent; null where the mean is 0. */
  cv: number | null
  ranges: { min: number; max: number }[]
}

/** Inverse of a symmetric positive matrix; undefined if variables are collinear. */
const inverseOf = (matrix: readonly (readonly number[])[]): number[][] | undefined => {
  const size = matrix.length
  const rows = matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, k) => Number(i === k))])
  const largest = Math.max(...matrix.map((row, i) => Math.abs(row[i]!)))
  for (let at = 0; at < size; at++) {
    const pivot = rows.reduce((best, row, i) => (i >= at && Math.abs(row[at]!) > Math.abs(rows[best]![at]!) ? i : best), at)
    if (Math.abs(rows[pivot]![at]!) <= 1e-10 * largest) return undefined
    ;[rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!]
    const own = rows[at]!
    const scale = own[at]!
    for (let k = 0; k < own.length; k++) own[k]! /= scale
    for (const [i, row] of rows.entries()) {
      const by = row[at]!
      if (i !== at && by) for (let k = 0; k < row.length; k++) row[k]! -= by * own[k]!
    }
  }
  return rows.map((row) => row.slice(size))
}
const product = (matrix: readonly (readonly number[])[], vector: readonly number[]) =>
  matrix.map((row) => row.reduce((sum, value, i) => sum + value * vector[i]!, 0))
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

/** Days for each coefficient, and in all, that a baseline needs. */
const [perCoefficient, fewestDays] = [3, 30]
export const isEnough = (days: number, variables: number) => days >= Math.max(fewestDays, perCoefficient * (variables + 1))

/** Variables are divided by their spread for the solution, so that degree-days and tonnes are of one size. */
export const fit = (variables: readonly (readonly number[])[], energy: readonly number[]): Fit | undefined => {
  const count = variables[0]?.length ?? 0
  const days = energy.length
  const ranges = Array.from({ length: count }, (_, k) => {
    const values = variables.map((row) => row[k]!)
    return { min: Math.min(...values), max: Math.max(...values) }
  })
  const scale = [1, ...ranges.map(({ min, max }) => Math.max(Math.abs(min), Math.abs(max)) || 1)]
  const rows = variables.map((row) => [1, ...row].map((value, k) => value / scale[k]!))
  const squares = scale.map((_, i) => scale.map((_, k) => rows.reduce((sum, row) => sum + row[i]! * row[k]!, 0)))
  const inverse = inverseOf(squares)
  if (!inverse) return undefined
  const scaled = product(
    inverse,
    scale.map((_, k) => rows.reduce((sum, row, i) => sum + row[k]! * energy[i]!, 0)),
  )
  const mean = energy.reduce((sum, value) => sum + value, 0) / days
  const left = rows.reduce((sum, row, i) => sum + (energy[i]! - dot(row, scaled)) ** 2, 0)
  const whole = energy.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = Math.sqrt(left / (days - scale.length))
  return {
    coefficients: scaled.map((value, k) => value / scale[k]!),
    inverse: inverse.map((row, i) => row.map((value, k) => value / (scale[i]! * scale[k]!))),
    ...{ days, deviation, ranges },
    r2: whole > 0 ? Math.max(0, 1 - left / whole) : 0,
    cv: mean ? (100 * deviation) / Math.abs(mean) : null,
  }
}

/** Of Student's distribution, 95 % on both sides; within 1 % from ten degrees of freedom on. */
const student = (freedom: number) => 1.96 + 2.4 / freedom + 3 / freedom ** 2

/** What a baseline expects of days, and the half of its 95 % band, by day and of their sum. */
export const predict = ({ coefficients, inverse, days, deviation }: Fit, variables: readonly (readonly number[])[]) => {
  const t = student(days - coefficients.length)
  const rows = variables.map((row) => [1, ...row])
  const together = coefficients.map((_, k) => rows.reduce((sum, row) => sum + row[k]!, 0))
  const band = (row: readonly number[], count: number) => t * deviation * Math.sqrt(count + dot(row, product(inverse, row)))
  return {
    days: rows.map((row) => ({ expected: dot(row, coefficients), band: band(row, 1) })),
    expected: dot(together, coefficients),
    band: rows.length ? band(together, rows.length) : 0,
  }
}

export const isInRange = ({ ranges }: Pick<Fit, 'ranges'>, row: readonly number[]) =>
  row.every((value, k) => value >= ranges[k]!.min && value <= ranges[k]!.max)
