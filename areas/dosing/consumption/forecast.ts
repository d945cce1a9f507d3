// When a stock is used up, from what was used on each of the last days. Pure.

/** Days averaged for the forecast, and weeks whose highest and lowest use give the band. */
const [week, weeks] = [7, 4]
/** Weeks with fewer known days are ignored. */
const leastKnown = 4
/** Days before an order is due on which it is announced. */
const soon = 7
export const usedDays = week * weeks

export type Asked = {
  /** Current stock; null if unknown. */
  stock: number | null
  reserve: number | null
  leadDays: number | null
  tankSize: number | null
  /** The last four weeks, newest last; null: unknown. */
  used: readonly (number | null)[]
}
export type Forecast = {
  dailyUse: number | null
  days: number | null
  low: number | null
  high: number | null
  /** Days until it must be ordered; negative when that is past. */
  orderIn: number | null
  orderQty: number | null
  /** 0 unknown, 1 enough, 2 order soon, 3 order now. */
  state: 0 | 1 | 2 | 3
}

const meanOf = (used: readonly (number | null)[], least: number): number | null => {
  const known = used.filter((one) => one !== null)
  return known.length >= least ? known.reduce((sum, one) => sum + one, 0) / known.length : null
}
const lasts = (stock: number, use: number | null) => (use === null || use <= 0 ? null : Math.max(0, stock) / use)

export const forecastOf = ({ stock, reserve, leadDays, tankSize, used }: Asked): Forecast => {
  const dailyUse = meanOf(used.slice(-week), 1)
  const uses = Array.from({ length: weeks }, (_, i) => used.slice(used.length - (i + 1) * week, used.length - i * week || undefined))
    .map((of) => meanOf(of, leastKnown))
    .filter((one) => one !== null && one > 0)
  const all = [...uses, ...(dailyUse !== null && dailyUse > 0 ? [dailyUse] : [])] as number[]
  const days = stock === null ? null : lasts(stock, dailyUse)
  if (stock === null || days === null) return { dailyUse, days, low: null, high: null, orderIn: null, orderQty: null, state: 0 }
  const [most, least] = [Math.max(...all), Math.min(...all)]
  const orderIn = Math.floor(lasts(stock - (reserve ?? 0), most)! - (leadDays ?? 0))
  const left = Math.max(0, stock - dailyUse! * (leadDays ?? 0))
  return {
    ...{ dailyUse, days, low: lasts(stock, most), high: lasts(stock, least), orderIn },
    orderQty: tankSize === null ? null : Math.max(0, tankSize - left),
    state: orderIn <= 0 ? 3 : orderIn <= soon ? 2 : 1,
  }
}
