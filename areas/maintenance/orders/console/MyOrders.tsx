import './orders.css'
import { Button, Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Static } from 'typebox'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
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
import { type Stepping, useSteps } from './useSteps.tsx'

type Mine = Static<typeof MyOrder> &
  Stepping &
  Record<string, unknown> & { Status: number; Urgency: number; PlanFinishTime: string | null; IsClosed: number; Steps: StepName[] }
const path = '/maintenanceCenter/workOrder'
const OrderPage = lazyScreen(() => import('./OrderPage.tsx'))

const Card = ({ of: order, begin, busy }: { of: Mine; begin: (step: StepName) => void; busy: boolean }) => {
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
        </span>
        <span className="soft">{[order.DeviceName ?? order.GatewayName, order.ProjectName].filter(Boolean).join(' · ')}</span>
      </Link>
      {next && (
        <Button className="order-big" type="primary" block loading={busy} onClick={() => begin(next)}>
          {t(`order.step.${next}`)}
        </Button>
      )}
    </li>
  )
}

const upkeep = { order: mtnUpKeepOrder, calls: upkeepCalls }
const due = (PlanFinishTime: string) => <Due of={{ PlanFinishTime, IsClosed: 0 }} />
/** The person's open orders by due date, laid out for one-handed use. */
const MyOrders = () => {
  const t = useWords()
  const [view, setView] = useState<'todo' | 'closed'>('todo')
  const steps = useSteps()
  const query = view === 'todo' ? { PageSize: 100 } : { PageSize: 50, IsClosed: 1, OrderColumn: 'FinishTime', OrderType: 'desc' }
  const { data, error, refetch } = useCall(orderCalls.mine, { query, of: ['mtnMaintenanceOrder'] })
  const orders = (data?.Items ?? []) as unknown as Mine[]
  const planned = [
    useCall(upkeepCalls.mine, { of: [mtnUpKeepOrder.name] }).data,
    useCall(patrolCalls.mine, { of: [mtnCheckOrder.name] }).data,
  ]
  const isFree = !orders.length && (view === 'closed' || planned.every((one) => one && !one.Items.length))
  return (
    <Page
      title={t('menu.m10601')}
      actions={
        <Segmented
          size="large"
          value={view}
          onChange={setView}
          options={(['todo', 'closed'] as const).map((value) => ({ value, label: t(`order.${value}`) }))}
        />
      }
    >
      {!data && (error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />)}
      {data && isFree && <EmptyList text={t(view === 'todo' ? 'order.nothing' : 'order.nothingClosed')} />}
      <ul className="order-mines">
        {orders.map((order) => (
          <Card key={order.Id} of={order} begin={(step) => steps.begin(order, step)} busy={steps.busy === order.Id} />
        ))}
      </ul>
      {view === 'todo' && (
        <>
          <MyPlanned of={upkeep} due={due} />
          <MyRounds due={due} />
        </>
      )}
      {steps.dialog}
    </Page>
  )
}
const OrMine = () => (useSearchParams()[0].has('Id') ? <OrderPage /> : <MyOrders />)
export default OrMine
