// What is used comes from the batch that came first. Pure, and exact: thousandths of a unit, billionths of the currency.

export type Batch = { at: number; qty: bigint; price: bigint | null; concentration: number | null }
/** `cost` in trillionths: thousandths times billionths. `dry`: thousandths of a unit of active substance; null where one is not known. */
export type Drawn = { cost: bigint; unpriced: bigint; dry: number | null }
type Used = { end: number; qty: bigint | null }
/** Holds for what no batch covers. */
type Otherwise = Pick<Batch, 'price' | 'concentration'>

/** Allocates consumption to batches first in, first out, after what was used before. A batch is available from its delivery. */
export const draw = (batches: readonly Batch[], before: bigint, parts: readonly Used[], otherwise: Otherwise): Drawn[] => {
  let [at, left] = [0, batches[0]?.qty ?? 0n]
  const pass = (qty: bigint, until: number, take: (qty: bigint, from: Otherwise) => void) => {
    let rest = qty
    while (rest > 0n) {
      const batch = batches[at]
      if (batch && left === 0n) {
        at++
        left = batches[at]?.qty ?? 0n
        continue
      }
      const isThere = batch !== undefined && batch.at < until
      const some = isThere && left < rest ? left : rest
      take(
        some,
        isThere ? { price: batch.price ?? otherwise.price, concentration: batch.concentration ?? otherwise.concentration } : otherwise,
      )
      if (isThere) left -= some
      rest -= some
    }
  }
  pass(before, Number.POSITIVE_INFINITY, () => undefined)
  return parts.map(({ end, qty }) => {
    const drawn: Drawn = { cost: 0n, unpriced: 0n, dry: 0 }
    if (qty === null || qty <= 0n) return drawn
    pass(qty, end, (some, { price, concentration }) => {
      if (price === null) drawn.unpriced += some
      else drawn.cost += some * price
      drawn.dry = concentration === null || drawn.dry === null ? null : drawn.dry + (Number(some) * concentration) / 100
    })
    return drawn
  })
}
