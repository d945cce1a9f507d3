import './orders.css'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Segmented, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Static } from 'typebox'
import { invalidate } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useKept } from '../../../../console/offline/kept.ts'
import { Mark, QueueBar } from '../../../../console/offline/QueueBar.tsx'
import { onSent, useQueue, waitingOf } from '../../../../console/offline/queue.ts'
import { useMayCode, useUser } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { MyRounds } from '../../patrols/console/index.ts'
import { mtnCheckOrder, patrolCalls } from '../../patrols/contract.ts'
import { MyPlanned } from '../../upkeep/console/index.ts'
import { mtnUpKeepOrder, upkeepCalls } from '../../upkeep/contract.ts'
import { type MyOrder, orderCalls } from '../contract.ts'
import type { StepName } from '../steps.ts'
import { statusConditions, urgencyConditions } from './conditions.ts'
import { Due } from './Due.tsx'
import { withWaiting } from './queued.ts'
import type { ShiftOrder } from './ShiftDialog.tsx'
import { TakeAll, type Waiting } from './TakeAll.tsx'
import { useKeepOrders } from './useKeepOrders.ts'
import { type Stepping, useSteps } from './useSteps.tsx'

type Mine = Static<typeof MyOrder> &
  Stepping &
  Record<string, unknown> & { Status: number; Urgency: number; PlanFinishTime: string | null; IsClosed: number; Steps: StepName[] }
const path = '/maintenanceCenter/workOrder'
const OrderPage = lazyScreen(() => import('./OrderPage.tsx'))

const Card = ({ of: order, begin, busy, waits }: { of: Mine; begin: (step: StepName) => void; busy: boolean; waits: boolean }) => {
  const t = useWords()
  const next = order.Steps.find((step) => step !== 'comment' && step !== 'handOver')
  return (
    <li className="order-mine">
      <Link className="order-mine-open" to={`${path}?Id=${order.Id}`}>
        <strong>{order.Title}</strong>
        <span className="order-card-foot">
          <State is={statusConditions[order.Status] ?? 'normal'}>{t(`mtnMaintenanceOrder.Status.${order.Status}`)}</State>
          {order.Urgency > 1 && <State is={urgencyConditions[order.Urgency]!}>{t(`mtnMaintenanceOrder.Urgency.${order.Urgency}`)}</State>}
          <Due of={order} />
          {waits && <Mark is="waiting" />}
        </span>
        <span className="soft">
          {[order.EquipmentName ?? order.DeviceName ?? order.GatewayName, order.ProjectName].filter(Boolean).join(' · ')}
        </span>
      </Link>
      {next && (
        <Button className="order-big" type="primary" block loading={busy} onClick={() => begin(next)}>
          {t(`order.step.${next}`)}
        </Button>
      )}
    </li>
  )
}

const ShiftDialog = lazyScreen(() => import('./ShiftDialog.tsx'), null)
type Held = ShiftOrder & { AssignUserId: number | null; HandOverUserId: number | null }
/** Orders for shift handover: open, assigned to the person, with no handover pending. */
const shiftOf = (repairs: readonly Mine[], planned: readonly Held[], me: number | undefined): ShiftOrder[] => [
  ...repairs.filter(({ Steps }) => Steps.includes('handOver')),
  ...planned.filter(({ AssignUserId, HandOverUserId }) => AssignUserId === me && HandOverUserId === null),
]

/** Handovers that await the person's acceptance. */
const waitingFor = (repairs: readonly Mine[], upkeeps: readonly Held[], rounds: readonly Held[], me: number | undefined): Waiting[] => {
  const mine = (kind: Waiting['kind'], held: readonly Held[]) =>
    held.flatMap(({ Id, HandOverUserId }) => (HandOverUserId !== null && HandOverUserId === me ? [{ Id, kind }] : []))
  const taken = repairs.flatMap(({ Id, Steps }) => (Steps.includes('takeOver') ? [{ Id, kind: 'repair' as const }] : []))
  return [...taken, ...mine('upkeep', upkeeps), ...mine('round', rounds)]
}

/** Queries that sent steps invalidate. */
const changed = ['mtnMaintenanceOrder', mtnUpKeepOrder.name, mtnCheckOrder.name, 'alarmInfo', 'mtnComponentStock']
const upkeep = { order: mtnUpKeepOrder, calls: upkeepCalls }
const due = (PlanFinishTime: string) => <Due of={{ PlanFinishTime, IsClosed: 0 }} />
/** The person's open orders by due date, laid out for one-handed use. */
const MyOrders = () => {
  const t = useWords()
  const [view, setView] = useState<'todo' | 'closed'>('todo')
  const steps = useSteps()
  const query = view === 'todo' ? { PageSize: 100 } : { PageSize: 50, IsClosed: 1, OrderColumn: 'FinishTime', OrderType: 'desc' }
  const { data, error, refetch, keptAt, asOf } = useKept(orderCalls.mine, { query, of: ['mtnMaintenanceOrder'] })
  const entries = useQueue()
  const [me, may] = [useUser(), useMayCode()]
  const who = { UserId: me?.Id ?? 0, may, asOf }
  const orders = ((data?.Items ?? []) as unknown as Mine[]).map((order) => withWaiting(order as never, entries, who) as Mine)
  const planned = [
    useKept(upkeepCalls.mine, { of: [mtnUpKeepOrder.name] }).data,
    useKept(patrolCalls.mine, { of: [mtnCheckOrder.name] }).data,
  ]
  const [upkeeps, rounds] = planned
  useKeepOrders(view === 'todo' && keptAt === null ? data?.Items : undefined, upkeeps?.Items, rounds?.Items)
  const client = useQueryClient()
  useEffect(() => onSent(() => void invalidate(client, changed)), [client])
  // Snapshot from when the dialog opened: orders that are handed over leave the list behind it.
  const [shift, setShift] = useState<ShiftOrder[]>()
  const isOnline = keptAt === null && view === 'todo'
  const held = planned.map((one) => (one?.Items ?? []) as unknown as Held[])
  const handed = isOnline ? shiftOf(orders, held.flat(), me?.Id) : []
  const isFree = !orders.length && (view === 'closed' || planned.every((one) => one && !one.Items.length))
  return (
    <Page
      title={t('menu.m10601')}
      actions={
        <>
          {handed.length > 0 && (
            <Button size="large" onClick={() => setShift(handed)}>
              {t('order.shift')}
            </Button>
          )}
          <Segmented
            size="large"
            value={view}
            onChange={setView}
            options={(['todo', 'closed'] as const).map((value) => ({ value, label: t(`order.${value}`) }))}
          />
        </>
      }
    >
      <QueueBar keptAt={keptAt} />
      {!data && (error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />)}
      {data && isFree && <EmptyList text={t(view === 'todo' ? 'order.nothing' : 'order.nothingClosed')} />}
      {isOnline && <TakeAll of={waitingFor(orders, held[0]!, held[1]!, me?.Id)} />}
      <ul className="order-mines">
        {orders.map((order) => (
          <Card
            key={order.Id}
            of={order}
            begin={(step) => steps.begin(order, step)}
            busy={steps.busy === order.Id}
            waits={waitingOf(entries, order.Id).length > 0}
          />
        ))}
      </ul>
      {view === 'todo' && (
        <>
          <MyPlanned of={upkeep} due={due} />
          <MyRounds due={due} />
        </>
      )}
      {steps.dialog}
      {shift && <ShiftDialog orders={shift} close={() => setShift(undefined)} />}
    </Page>
  )
}
const OrMine = () => (useSearchParams()[0].has('Id') ? <OrderPage /> : <MyOrders />)
export default OrMine
