import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { type Shown, useCall, useCommand } from '../../../../console/kernel/api.ts'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { mtnUpKeepOrder, planCalls } from '../contract.ts'
import FinishDialog from './FinishDialog.tsx'

type Order = Shown<typeof mtnUpKeepOrder>
type Props = {
  of: { order: typeof mtnUpKeepOrder; calls: ReturnType<typeof planCalls> }
  /** Shows when an order is due. */
  due: (time: string) => ReactNode
  /** Above the checklist of an order. */
  above?: (order: Order) => ReactNode
}
/** Open planned orders of the person, to start and finish. */
const MyPlanned = ({ of: { order: r, calls }, due, above }: Props) => {
  const t = useWords()
  const { data } = useCall(calls.mine, { of: [r.name] })
  const start = useCommand(calls.start, [r.name])
  const [finishing, finish] = useState<Order>()
  const orders = (data?.Items ?? []) as unknown as Order[]
  if (!orders.length) return null
  return (
    <section aria-label={t(`menu.${r.permission}`)}>
      <h2>{t(`menu.${r.permission}`)}</h2>
      <ul className="order-mines">
        {orders.map((order) => (
          <li key={order.Id} className="order-mine">
            <div>
              <strong>{order.Title}</strong>
              <span className="order-card-foot">
                <State is="normal">{t(`${r.name}.Status.${order.Status}`)}</State>
                {due(order.DueTime)}
              </span>
              <span className="soft">{[order.DeviceName, order.ProjectName].filter(Boolean).join(' · ')}</span>
            </div>
            <Button
              className="order-big"
              type="primary"
              block
              loading={start.isPending && start.variables?.body?.OrderId === order.Id}
              onClick={() => (order.Status === 0 ? start.mutate({ body: { OrderId: order.Id } }) : finish(order))}
            >
              {t(order.Status === 0 ? 'upkeep.start' : 'upkeep.finish')}
            </Button>
          </li>
        ))}
      </ul>
      {finishing && <FinishDialog of={r} calls={calls} order={finishing} above={above?.(finishing)} close={() => finish(undefined)} />}
    </section>
  )
}
export default MyPlanned
