import { type Shown, useRows } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { Chain } from '../../job-sheets/console/Chain.tsx'
import { type mtnComponent, mtnComponentRecord } from '../contract.ts'

const [moves, most] = [50, 3]
/** The last orders that used the part. */
export const PartOrders = ({ row }: { row: Shown<typeof mtnComponent> }) => {
  const mayMoves = useMay(mtnComponentRecord.permission)
  const { data } = useRows(mtnComponentRecord, { PageIndex: 1, PageSize: moves, ComponentId: row.Id }, { enabled: mayMoves })
  const orders = new Map(data?.Items.flatMap(({ OrderId, OrderNo }) => (OrderId ? [[OrderId, String(OrderNo)] as const] : [])))
  return [...orders].slice(0, most).map(([Id, OrderNo]) => <Chain key={Id} order={{ Id, OrderNo }} without={['part']} />)
}
