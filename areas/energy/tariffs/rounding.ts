// Unrounded amounts add up exactly. Rounding happens here, where a number is shown.

/** Decimals in which people write a currency: 2 of CNY, 0 of JPY, 3 of KWD. */
export const decimalsOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

const floorDivision = (value: bigint, by: bigint) => {
  const quotient = value / by
  return value % by < 0n ? quotient - 1n : quotient
}

/** The nearest multiple; half goes away from zero, as on invoices. */
export const rounded = (value: bigint, step: bigint) => {
  const half = (value < 0n ? -value : value) * 2n + step
  const whole = half / (2n * step)
  return value < 0n ? -whole : whole
}

/**
 * Rounds the lines of a statement to whole steps so that they add up to their rounded total: each is rounded down, and what is left goes
 * to the largest remainders, of equal ones to the first. Answers whole steps, such as cents.
 */
export const largestRemainder = (lines: readonly bigint[], step: bigint): bigint[] => {
  const down = lines.map((line) => floorDivision(line, step))
  const total = rounded(
    lines.reduce((sum, line) => sum + line, 0n),
    step,
  )
  const left = Number(total - down.reduce((sum, line) => sum + line, 0n))
  const byRemainder = lines
    .map((line, i) => ({ i, remainder: line - down[i]! * step }))
    .sort((a, b) => (a.remainder === b.remainder ? a.i - b.i : a.remainder > b.remainder ? -1 : 1))
  for (const { i } of byRemainder.slice(0, left)) down[i]! += 1n
  return down
}

/** Billionths of a currency in one step of what is shown. */
export const stepOf = (currency: string) => 10n ** BigInt(9 - decimalsOf(currency))

/** The lines of a statement in the currency's decimals; the last digit of some differs from their own rounding. */
export const shownLines = (billionths: readonly bigint[], currency: string): number[] =>
  largestRemainder(billionths, stepOf(currency)).map((steps) => Number(steps) / 10 ** decimalsOf(currency))

/** A single amount in the currency's decimals. */
export const shownMoney = (billionths: bigint, currency: string) =>
  Number(rounded(billionths, stepOf(currency))) / 10 ** decimalsOf(currency)
