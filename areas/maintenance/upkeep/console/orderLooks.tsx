import { App, Button } from 'antd'
import { useState } from 'react'
import { type Shown, useCall, useCommand } from '../../../../console/kernel/api.ts'
import type { DetailLooks } from '../../../../console/kernel/plainScreens.ts'
import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { useMay, useUser } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { Checklist } from '../../job-sheets/console/Checklist.tsx'
import { LastRepairs } from '../../job-sheets/console/LastRepairs.tsx'
import OrderWork from '../../job-sheets/console/OrderWork.tsx'
import { Timeline } from '../../job-sheets/console/Timeline.tsx'
import type { Item, Result } from '../../job-sheets/contract.ts'
import { mtnMaintenanceOrder, orderCalls } from '../../orders/contract.ts'
import type { mtnUpKeepOrder, planCalls } from '../contract.ts'
import './upkeep.css'

const FinishDialog = lazyScreen(() => import('./FinishDialog.tsx'), null)
const HandOverDialog = lazyScreen(() => import('./HandOverDialog.tsx'), null)
const CommentDialog = lazyScreen(() => import('./CommentDialog.tsx'), null)
const CancelDialog = lazyScreen(() => import('./CancelDialog.tsx'), null)
type Order = Shown<typeof mtnUpKeepOrder>
type Calls = ReturnType<typeof planCalls>

/** Buttons for the steps the user may take. */
const Actions = ({ of, calls, row }: { of: typeof mtnUpKeepOrder; calls: Calls; row: Order }) => {
  const t = useWords()
  const me = useUser()
  const [works, cancels] = [useMay('m10601.work'), useMay(`${of.permission}.cancel`)]
  const [asking, ask] = useState<'finish' | 'cancel' | 'handOver' | 'comment'>()
  const [over, decline] = [useCommand(calls.takeOver, [of.name]), useCommand(calls.declineOver, [of.name])]
  const start = useCommand(calls.start, [of.name])
  const isMine = row.AssignUserId === null || row.AssignUserId === me?.Id
  const isOpen = row.Status === 0 || row.Status === 1
  return (
    <>
      {works && isOpen && row.HandOverUserId !== null && row.HandOverUserId === me?.Id && (
        <>
          <Button type="primary" loading={over.isPending} onClick={() => over.mutate({ body: { OrderId: row.Id } })}>
            {t('order.step.takeOver')}
          </Button>
          <Button loading={decline.isPending} onClick={() => decline.mutate({ body: { OrderId: row.Id } })}>
            {t('order.step.declineOver')}
          </Button>
        </>
      )}
      {works && isMine && row.Status === 0 && (
        <Button type="primary" loading={start.isPending} onClick={() => start.mutate({ body: { OrderId: row.Id } })}>
          {t('upkeep.start')}
        </Button>
      )}
      {works && isMine && (row.Status === 1 || row.Status === 4) && (
        <Button type="primary" onClick={() => ask('finish')}>
          {t('upkeep.finish')}
        </Button>
      )}
      {works && isMine && isOpen && <Button onClick={() => ask('handOver')}>{t('order.step.handOver')}</Button>}
      {works && <Button onClick={() => ask('comment')}>{t('order.step.comment')}</Button>}
      {cancels && isOpen && <Button onClick={() => ask('cancel')}>{t('upkeep.cancel')}</Button>}
      {asking === 'finish' && <FinishDialog {...{ of, calls }} order={row} close={() => ask(undefined)} />}
      {asking === 'handOver' && <HandOverDialog {...{ of, calls }} order={row} close={() => ask(undefined)} />}
      {asking === 'comment' && <CommentDialog of={of} order={row} close={() => ask(undefined)} />}
      {asking === 'cancel' && <CancelDialog {...{ of, calls }} order={row} close={() => ask(undefined)} />}
    </>
  )
}
/** A machine that is not a device has only its equipment name. */
export const listLooks: { cells: ListProps<typeof mtnUpKeepOrder>['cells'] } = {
  cells: { DeviceId: ({ DeviceName, EquipmentName }) => <span>{String(DeviceName ?? EquipmentName ?? '—')}</span> },
}
export const pageLooksOf = (of: typeof mtnUpKeepOrder, calls: Calls): DetailLooks<typeof mtnUpKeepOrder> => ({
  Actions: ({ row }) => <Actions {...{ of, calls, row }} />,
})

/** Checklist with results. */
const ChecklistTab = ({ calls, row }: { calls: Calls; row: Order }) => {
  const t = useWords()
  const works = useMay('m10601.work')
  const { message } = App.useApp()
  const repair = useCommand(calls.repair, ['mtnMaintenanceOrder'])
  const open = (Item: number) =>
    repair.mutate(
      { body: { OrderId: row.Id, Item } },
      { onSuccess: ({ OrderNo }) => void message.success(t('checklist.repairOpened', { title: OrderNo })) },
    )
  return (
    <Checklist
      items={(row.Items ?? []) as Item[]}
      results={(row.Results ?? []) as Result[]}
      repair={works ? open : undefined}
      busy={repair.isPending}
    />
  )
}
export const checklistOf =
  (calls: Calls) =>
  ({ row }: { row: Order }) => <ChecklistTab {...{ calls, row }} />

/** Parts and labor, also of a missed order that is done late. */
export const WorkTab = ({ row }: { row: Order }) => <OrderWork order={row} isOpen={[0, 1, 4].includes(row.Status)} />

/** Timeline of the order and previous repairs of its machine. */
const TimelineTab = ({ of, row }: { of: typeof mtnUpKeepOrder; row: Order }) => {
  const { data } = useCall(orderCalls.history, { query: { OrderId: row.Id }, of: [of.name, mtnMaintenanceOrder.name] })
  if (!data) return null
  return (
    <div className="stack">
      <Timeline of={data.History} />
      {(row.EquipmentId ?? row.DeviceId) !== null && <LastRepairs of={data.Last} path="/maintenanceCenter/workOrder" />}
    </div>
  )
}
export const timelineOf =
  (of: typeof mtnUpKeepOrder) =>
  ({ row }: { row: Order }) => <TimelineTab {...{ of, row }} />
