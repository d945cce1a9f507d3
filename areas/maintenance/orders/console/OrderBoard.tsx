import './orders.css'
import { MoreOutlined } from '@ant-design/icons'
import { App, Button, Dropdown, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Shown, useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { boardCalls, type boardOrder } from '../board.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import { orderStatus, type StepName, stepTo } from '../steps.ts'
import { statusConditions, urgencyConditions } from './conditions.ts'
import { Due } from './Due.tsx'
import { readOrder } from './useKeepOrders.ts'
import { useSteps } from './useSteps.tsx'

type Order = Shown<typeof boardOrder>
type Column = { Status: Order['Status']; TotalCount: number; Items: (Order & { Steps: StepName[] })[] }

type CardProps = { of: Order; steps: StepName[]; begin: (step: StepName) => void; drag: (id: number | undefined) => void }
const Card = ({ of: order, steps, begin, drag }: CardProps) => {
  const t = useWords()
  return (
    <li
      className="order-card"
      draggable
      onDragStart={(e) => {
        e.dataTransfer.effectAllowed = 'move'
        e.dataTransfer.setData('text/plain', order.OrderNo)
        drag(order.Id)
      }}
      onDragEnd={() => drag(undefined)}
    >
      <div className="order-card-head">
        <Link to={`/maintenanceCenter/repair/repairOrder?Id=${order.Id}`}>{order.Title}</Link>
        {steps.length > 0 && (
          <Dropdown
            trigger={['click']}
            autoFocus
            menu={{ items: steps.map((key) => ({ key, label: t(`order.step.${key}`) })), onClick: ({ key }) => begin(key as StepName) }}
          >
            <Button type="text" size="small" icon={<MoreOutlined />} aria-label={t('list.more', { title: order.OrderNo })} />
          </Dropdown>
        )}
      </div>
      <span className="soft">{String(order.EquipmentName ?? order.DeviceName ?? order.GatewayName ?? order.ProjectName ?? '')}</span>
      <span className="order-card-foot">
        {order.Urgency > 1 && <State is={urgencyConditions[order.Urgency]!}>{t(`mtnMaintenanceOrder.Urgency.${order.Urgency}`)}</State>}
        <span className="soft">{String(order.AssignUserName ?? order.TeamName ?? order.DepartmentName ?? t('order.nobody'))}</span>
        <Due of={order} short />
      </span>
    </li>
  )
}

/** Kanban board of orders: dropping a card on a state takes the step to it. A refused card returns to its column and shows the reason. */
const OrderBoard = () => {
  const t = useWords()
  const { message } = App.useApp()
  const tenant = useTenant()
  const steps = useSteps()
  const [dragged, drag] = useState<number>()
  const [over, setOver] = useState<number>()
  const { data, error, refetch } = useCall(boardCalls.board, {
    query: tenant?.EnterpriseId ? { EnterpriseId: tenant.EnterpriseId } : {},
    of: [mtnMaintenanceOrder.name],
  })
  const columns = (data?.Columns ?? []) as unknown as Column[]
  const orders = columns.flatMap(({ Items }) => Items)
  // Cards have no checklist, so the dialog fetches the whole order.
  const begin = (order: Order, step: StepName) =>
    void readOrder(order.Id)
      .ask()
      .then(
        (whole) => steps.begin(whole as unknown as Order, step),
        (fault: Error) => void message.error(fault.message),
      )
  const drop = (to: number) => {
    const order = orders.find(({ Id }) => Id === dragged)
    setOver(undefined)
    drag(undefined)
    if (!order || order.Status === to) return
    const step = stepTo(order.Status, to)
    const words = { from: t(`mtnMaintenanceOrder.Status.${order.Status}`), to: t(`mtnMaintenanceOrder.Status.${to}`) }
    if (step) begin(order, step)
    else message.warning(t('order.noDrop', words))
  }
  if (!data) return error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />
  if (!orders.length) return <EmptyList text={t('empty.mtnMaintenanceOrder')} />
  return (
    <>
      <p className="soft">{t('order.dropHelp')}</p>
      <div className="order-board">
        {columns.map(({ Status: status, TotalCount, Items: cards }) => {
          return (
            <section
              key={status}
              aria-label={t(`mtnMaintenanceOrder.Status.${status}`)}
              className={`order-column${over === status ? ' order-over' : ''}`}
              onDragOver={(e) => {
                e.preventDefault()
                setOver(status)
              }}
              onDragLeave={() => setOver(undefined)}
              onDrop={() => drop(status)}
            >
              <h2>
                <State is={statusConditions[status] ?? 'normal'}>{t(`mtnMaintenanceOrder.Status.${status}`)}</State>{' '}
                <span className="figures soft">{TotalCount}</span>
              </h2>
              <ul>
                {cards.map((order) => (
                  <Card
                    key={order.Id}
                    of={order}
                    steps={order.Steps.filter((step) => step !== 'comment')}
                    begin={(step) => begin(order, step)}
                    drag={drag}
                  />
                ))}
              </ul>
              {TotalCount > cards.length && <p className="soft">{t('order.moreCards', { count: TotalCount - cards.length })}</p>}
              {status === orderStatus.waiting && !cards.length && <p className="faint">{t('order.empty')}</p>}
            </section>
          )
        })}
      </div>
      {steps.dialog}
    </>
  )
}
export default OrderBoard
