import type { Shown } from '../../../../console/kernel/api.ts'
import type { DetailLooks } from '../../../../console/kernel/plainScreens.ts'
import { currency } from '../../../../console/session/session.ts'
import { moneyText } from '../../../../console/words/formats.ts'
import { language, type Words } from '../../../../console/words/words.ts'
import type { mtnComponent, mtnComponentRecord, mtnStockDifference } from '../contract.ts'
import { PartOrders } from './PartOrders.tsx'
import { quantityText, StockBar } from './StockBar.tsx'

type Part = typeof mtnComponent
const StockQty = (row: Shown<Part>) => (
  <StockBar StockQty={row.StockQty} MinQty={row.MinQty} MaxQty={row.MaxQty} Unit={row.Unit} IsLow={row.IsLow} />
)
export const partLooks = { cells: { StockQty } }

/** Signed quantity: negative for a movement out. */
const Qty = ({ AfterQty, BeforeQty }: Shown<typeof mtnComponentRecord>) => (
  <span className="figures">
    {AfterQty < BeforeQty ? '−' : '+'}
    {quantityText(Math.abs(AfterQty - BeforeQty))}
  </span>
)
/** Link to the order of a movement, of any kind. */
const OrderId = (row: Shown<typeof mtnComponentRecord> | Shown<typeof mtnStockDifference>) => {
  const { OrderNo, UpKeepOrderNo, CheckOrderNo } = row as Readonly<Record<string, unknown>>
  return <span>{String(OrderNo ?? UpKeepOrderNo ?? CheckOrderNo ?? '—')}</span>
}
export const movementLooks = { cells: { Qty, OrderId } }

const amount = (qty: number) => <span className="figures">{quantityText(qty)}</span>
export const differenceLooks = {
  cells: {
    Qty: ({ Qty }: Shown<typeof mtnStockDifference>) => amount(Qty),
    StockQty: ({ StockQty }: Shown<typeof mtnStockDifference>) => amount(StockQty),
    OrderId,
  },
}

export const pageLooks: DetailLooks<Part> = {
  cells: { StockQty },
  Notice: PartOrders,
  head: (row: Shown<Part>, t: Words) => ({
    figures: [
      { label: t('mtnComponent.StockQty'), value: `${quantityText(row.StockQty)} ${row.Unit}` },
      ...(row.MinQty === null ? [] : [{ label: t('mtnComponent.MinQty'), value: quantityText(row.MinQty) }]),
      ...(row.Price === null ? [] : [{ label: t('mtnComponent.Price'), value: moneyText(row.Price, currency(), language()) }]),
    ],
  }),
}
