// Money is stored in whole billionths of a currency, so that sums have no rounding of their own.

const digits = 9

/** An amount in billionths, as a text: some are beyond what a number holds exactly. More than nine decimals are cut. */
export const toBillionths = (amount: number): string => {
  // Small numbers would be written with an exponent.
  const text = Math.abs(amount) < 1e-3 ? amount.toFixed(digits) : String(amount)
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + part.slice(0, digits).padEnd(digits, '0'))
  return String(amount < 0 ? -value : value)
}

/** The largest amount of a field: what a bigint holds. */
export const mostMoney = 9e9
