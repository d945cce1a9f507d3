import './orders.css'
import { EditOutlined, MoreOutlined, PrinterOutlined } from '@ant-design/icons'
import { Alert, Button, Dropdown, Skeleton } from 'antd'
import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import type { Shown } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { Cell } from '../../../../console/kernel/fields.tsx'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useKept, useKeptAnswer } from '../../../../console/offline/kept.ts'
import { Mark } from '../../../../console/offline/QueueBar.tsx'
import { useQueue, waitingOf } from '../../../../console/offline/queue.ts'
import { useMayCode, useUser } from '../../../../console/session/session.ts'
import { DetailHead } from '../../../../console/shell/DetailHead.tsx'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { Level, State } from '../../../../console/theme/State.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { Moment } from '../../../../console/words/moments.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { Chain } from '../../job-sheets/console/Chain.tsx'
import { Checklist } from '../../job-sheets/console/Checklist.tsx'
import { LastRepairs } from '../../job-sheets/console/LastRepairs.tsx'
import { Timeline } from '../../job-sheets/console/Timeline.tsx'
import type { Item, Result } from '../../job-sheets/contract.ts'
import { DraftOfOrder, OfferedArticles } from '../../knowledge-base/console/index.ts'
import { seesCost } from '../../spare-parts/contract.ts'
import { mtnMaintenanceOrder, orderCalls } from '../contract.ts'
import type { StepName } from '../steps.ts'
import { statusConditions, urgencyConditions } from './conditions.ts'
import { Due } from './Due.tsx'
import { formInputs } from './orderLooks.tsx'
import { withWaiting } from './queued.ts'
import { articlesOf, readOrder } from './useKeepOrders.ts'
import { useSteps } from './useSteps.tsx'

type Order = Shown<typeof mtnMaintenanceOrder>
type History = Answer<typeof orderCalls.history>
const named = (name: string) => `mtnMaintenanceOrder.${name}`

const places = [
  'ProjectId',
  'GatewayId',
  'DeviceId',
  'EquipmentId',
  'FaultDesc',
  'FaultCodeId',
  'Source',
  'AlmRuleId',
  'AlarmCount',
  'ReportUserId',
  'ReportTime',
  'RespondDue',
  'ArriveDue',
  'HoldReason',
  'Files',
] as const
const results = [
  'HandleDesc',
  'CauseType',
  'Solution',
  'StopHours',
  'LaborHours',
  'FinishTime',
  'CheckUserId',
  'CheckTime',
  'CheckDesc',
  'Score',
  'Verified',
  'HandleAttach',
] as const
const costs = ['PartsCost', 'LaborCost', 'TravelCost', 'OutsideCost', 'Cost'] as const
const OrderWork = lazyScreen(() => import('../../job-sheets/console/OrderWork.tsx'), null)
const machines: Record<string, { needs: string; path: string }> = {
  ProjectId: { needs: 'm10101', path: '/projectManagement/projectConfig?Id=' },
  GatewayId: { needs: 'm10105', path: '/projectManagement/gatewayPreView?Id=' },
  EquipmentId: { needs: 'm10620', path: '/maintenanceCenter/machine?Id=' },
  DeviceId: { needs: 'm10107', path: '/projectManagement/devicePointList?Id=' },
}

/** Details: fields that have a value. */
const Known = ({ of: order, names }: { of: Order; names: readonly (keyof typeof mtnMaintenanceOrder.fields)[] }) => {
  const t = useWords()
  const may = useMayCode()
  const cell = (name: string) => {
    const target = machines[name]
    const shown = <Cell of={mtnMaintenanceOrder} field={name} row={order} />
    return target && may(target.needs) ? <Link to={`${target.path}${order[name]}`}>{shown}</Link> : shown
  }
  const known = names.filter((name) => order[name] != null && order[name] !== '' && (name !== 'AlarmCount' || order.AlarmCount > 0))
  return <Facts of={known.map((key) => ({ key, label: t(named(key)), value: cell(key) }))} />
}

const Alarms = ({ of }: { of: History['Alarms'] }) => {
  const t = useWords()
  if (!of.length) return null
  return (
    <section className="panel">
      <h2>{t('order.alarms')}</h2>
      <ul className="order-links">
        {of.map((alarm) => (
          <li key={alarm.Id}>
            <Level is={alarm.AlarmLevel}>{''}</Level>{' '}
            <Link to={`/alarmManagement/alarmInfo?view=history&Id=${alarm.Id}`}>{alarm.RuleName}</Link>{' '}
            <span className="soft">
              <Moment time={alarm.StartTime} /> · {t(`alarmInfo.HandleStatus.${alarm.HandleStatus}`)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type StepsProps = { of: Order; steps: readonly StepName[]; begin: (step: StepName) => void; busy: boolean; edit: (() => void) | undefined }
/** One large button with the next legal step; a menu with the others. */
const Steps = ({ of: order, steps, begin, busy, edit }: StepsProps) => {
  const t = useWords()
  const [first, ...rest] = steps
  const items = [
    ...rest.map((key) => ({ key: key as string, label: t(`order.step.${key}`), danger: key === 'cancel' })),
    ...(edit ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined /> }] : []),
    { key: 'print', label: t('order.print'), icon: <PrinterOutlined /> },
  ]
  return (
    <div className="order-steps">
      {items.length > 0 && (
        <Dropdown
          trigger={['click']}
          autoFocus
          menu={{ items, onClick: ({ key }) => (key === 'print' ? window.print() : key === 'edit' ? edit?.() : begin(key as StepName)) }}
        >
          <Button className="order-big" icon={<MoreOutlined />} aria-label={t('list.more', { title: order.OrderNo })} />
        </Dropdown>
      )}
      {first && (
        <Button className="order-big" type="primary" block loading={busy} onClick={() => begin(first)}>
          {t(`order.step.${first}`)}
        </Button>
      )}
    </div>
  )
}

const Whole = ({ of: held, asOf, path }: { of: Order; asOf: number; path: string }) => {
  const t = useWords()
  const may = useMayCode()
  const steps = useSteps()
  const [editing, edit] = useState(false)
  const entries = useQueue()
  const me = useUser()
  const { data: known, ...history } = useKept(orderCalls.history, { query: { OrderId: held.Id }, of: ['mtnMaintenanceOrder', 'alarmInfo'] })
  const who = { UserId: me?.Id ?? 0, may, asOf: Math.min(asOf, history.asOf) }
  const order = withWaiting({ ...held, Steps: known?.Steps ?? [] }, entries, who)
  const data = known && { ...known, Steps: order.Steps }
  const mayEdit = may('m10602.edit') && !order.IsClosed
  const phone = usePhone()
  const next = data && (
    <Steps
      of={order}
      steps={data.Steps}
      begin={(step) => steps.begin(order, step)}
      busy={steps.busy === order.Id}
      edit={mayEdit ? () => edit(true) : undefined}
    />
  )
  const whom = String(held.AssignUserName ?? held.TeamName ?? held.DepartmentName ?? t('order.nobody'))
  return (
    <article className="page order-page">
      <DetailHead
        name={order.Title}
        state={
          <>
            <State is={statusConditions[order.Status] ?? 'normal'}>{t(named(`Status.${order.Status}`))}</State>
            {order.Urgency > 1 && <State is={urgencyConditions[order.Urgency]!}>{t(named(`Urgency.${order.Urgency}`))}</State>}
            {waitingOf(entries, order.Id).length > 0 && <Mark is="waiting" />}
          </>
        }
        belongs={
          <>
            <Link to={path}>{t(path.endsWith('workOrder') ? 'menu.m10601' : 'menu.m10602')}</Link> · {order.OrderNo}
          </>
        }
        figures={[
          { label: t(named('AssignUserId')), value: order.HandOverUserId ? `${whom} → ${held.HandOverUserName ?? ''}` : whom },
          { label: t(named('PlanFinishTime')), value: <Due of={order} /> },
        ]}
        actions={!phone && next}
      />
      {order.CameBackOfId && (
        <Alert
          type="warning"
          showIcon
          title={<Link to={`${path}?Id=${order.CameBackOfId}`}>{t('order.cameBack', { order: String(held.CameBackOf ?? '') })}</Link>}
        />
      )}
      {order.Verified === 3 && <Alert type="warning" showIcon title={t(named('Verified.3'))} />}
      <div className="order-halves">
        {data ? <Timeline of={data.History} /> : <Skeleton active />}
        <div className="stack">
          <section className="panel">
            <h2>{t('order.facts')}</h2>
            <Known of={order} names={places} />
          </section>
          {order.HandleDesc && (
            <section className="panel">
              <h2>{t('order.result')}</h2>
              <Known of={order} names={results} />
            </section>
          )}
          {(order.Items as Item[] | null)?.length ? (
            <section className="panel">
              <h2>{t('checklist.title')}</h2>
              <Checklist items={order.Items as Item[]} results={(order.Results ?? []) as Result[]} />
            </section>
          ) : null}
          <OrderWork order={order} isOpen={order.Status >= 1 && order.Status <= 3} />
          {may(seesCost) && (
            <section className="panel">
              <h2>{t(named('Cost'))}</h2>
              <Known of={order} names={costs} />
            </section>
          )}
          {data && <Alarms of={data.Alarms} />}
          <Chain order={order} without={['alarm', 'order']} />
          {order.IsClosed ? order.Status === 5 && <DraftOfOrder id={order.Id} /> : <OfferedArticles {...articlesOf(order)} />}
          {data && <LastRepairs of={data.Last} path={path} />}
        </div>
      </div>
      {phone && <div className="order-foot">{next}</div>}
      {editing && (
        <ResourceForm<typeof mtnMaintenanceOrder> of={mtnMaintenanceOrder} row={order} inputs={formInputs} close={() => edit(false)} />
      )}
      {steps.dialog}
    </article>
  )
}

/** Order page: timeline left, details right. */
const OrderPage = () => {
  const t = useWords()
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const id = Number(params.get('Id')) || undefined
  const asked = { ...readOrder(id ?? 0), of: [mtnMaintenanceOrder.name], enabled: id !== undefined }
  const { data, error, refetch, asOf } = useKeptAnswer(asked)
  if (data) return <Whole key={id} of={data as Order} asOf={asOf} path={pathname} />
  if (error?.status === 404)
    return (
      <article className="page">
        <EmptyList text={t('detail.gone', { thing: t('mtnMaintenanceOrder') })} />
        <Link to={pathname}>{t(pathname.endsWith('workOrder') ? 'menu.m10601' : 'menu.m10602')}</Link>
      </article>
    )
  return <article className="page">{error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />}</article>
}
export default OrderPage
