import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { type Shown, useCommand, useWrite } from '../../../../console/kernel/api.ts'
import { clientKey } from '../../../../console/kernel/clientKey.ts'
import { useKept } from '../../../../console/offline/kept.ts'
import { Mark } from '../../../../console/offline/QueueBar.tsx'
import { sendOrQueue, stepsSince, useQueue } from '../../../../console/offline/queue.ts'
import { invoke } from '../../../../console/session/request.ts'
import { useUser } from '../../../../console/session/session.ts'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { offlineCalls } from '../../offline/contract.ts'
import type { mtnUpKeepOrder, planCalls } from '../contract.ts'
import FinishDialog from './FinishDialog.tsx'

type Order = Shown<typeof mtnUpKeepOrder>
type Props = {
  of: { order: typeof mtnUpKeepOrder; calls: ReturnType<typeof planCalls> }
  /** Shows when an order is due. */
  due: (time: string) => ReactNode
  /** Limits the list to one machine. */
  machine?: { Id: number; DeviceId: number | null }
  /** Content above the checklist of an order. */
  above?: (order: Order) => ReactNode
}
/** Open planned orders of the person, to start and finish. */
const MyPlanned = ({ of: { order: r, calls }, due, machine, above }: Props) => {
  const t = useWords()
  const { data, asOf } = useKept(calls.mine, { of: [r.name] })
  const entries = useQueue()
  const later = (id: number) => stepsSince(entries, id, asOf)
  const stepsOf = (id: number) => later(id).map(({ body }) => body.Step)
  const send = ({ order, key }: { order: Order; key: string }) =>
    sendOrQueue(
      {
        ...{ key, path: offlineCalls.lateStep.path, title: order.Title, step: 'upkeep.start', body: {} },
        late: { OrderId: order.Id, Step: 'start' },
      },
      (body) => invoke(calls.start, { body: { OrderId: order.Id, ...body } }),
    )
  const start = useWrite([r.name], send, { networkMode: 'always' })
  const over = useCommand(calls.takeOver, [r.name])
  const me = useUser()?.Id
  const [finishing, finish] = useState<Order>()
  const orders = ((data?.Items ?? []) as unknown as Order[]).map((order) =>
    order.Status === 0 && stepsOf(order.Id).includes('start') ? { ...order, Status: 1 as const } : order,
  )
  // Orders of earlier versions have only the device.
  const shown = machine
    ? orders.filter((of) => of.EquipmentId === machine.Id || (of.DeviceId !== null && of.DeviceId === machine.DeviceId))
    : orders
  if (!shown.length) return null
  return (
    <section aria-label={t(`menu.${r.permission}`)}>
      <h2>{t(`menu.${r.permission}`)}</h2>
      <ul className="order-mines">
        {shown.map((order) => (
          <li key={order.Id} className="order-mine">
            <div>
              <strong>{order.Title}</strong>
              <span className="order-card-foot">
                <State is="normal">{t(`${r.name}.Status.${order.Status}`)}</State>
                {due(order.DueTime)}
                {later(order.Id).some(({ state }) => state === 'waiting') && <Mark is="waiting" />}
              </span>
              <span className="soft">{[order.EquipmentName ?? order.DeviceName, order.ProjectName].filter(Boolean).join(' · ')}</span>
            </div>
            {order.HandOverUserId !== null && order.HandOverUserId === me && (
              <Button className="order-big" block loading={over.isPending} onClick={() => over.mutate({ body: { OrderId: order.Id } })}>
                {t('order.step.takeOver')}
              </Button>
            )}
            {(order.AssignUserId === null || order.AssignUserId === me) && (
              <Button
                className="order-big"
                type="primary"
                block
                disabled={stepsOf(order.Id).includes('finish')}
                loading={start.isPending && start.variables?.order.Id === order.Id}
                onClick={() => (order.Status === 0 ? start.mutate({ order, key: clientKey() }) : finish(order))}
              >
                {t(order.Status === 0 ? 'upkeep.start' : 'upkeep.finish')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {finishing && <FinishDialog of={r} calls={calls} order={finishing} above={above?.(finishing)} close={() => finish(undefined)} />}
    </section>
  )
}
export default MyPlanned
