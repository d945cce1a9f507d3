import { CheckOutlined, FieldTimeOutlined, FileDoneOutlined, LineChartOutlined, StopOutlined, ToolOutlined } from '@ant-design/icons'
import { type ReactNode, useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import type { Bulk } from '../../../../console/kernel/list/RowTable.tsx'
import type { Action } from '../../../../console/kernel/RowActions.tsx'
import type { ListKeys } from '../../../../console/keys/useListKeys.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { useWords } from '../../../../console/words/words.ts'
import { alarmCalls } from '../contract.ts'
import type { Alarm } from './AlarmLevel.tsx'
import { HandleDialog } from './HandleDialog.tsx'
import { ShelveDialog } from './ShelveDialog.tsx'

const OpenOrder = lazyScreen(() => import('../../../maintenance/orders/console/OpenOrder.tsx'), null)

type Asked = { what: 'handle' | 'shelve' | 'order'; alarms: Alarm[]; done: () => void }

/** Actions on one or many alarms, with their dialogs. */
export const useAlarmActions = (): { of: (alarm: Alarm) => Action[]; bulk: Bulk<Alarm>[]; keys: ListKeys<Alarm>; dialogs: ReactNode } => {
  const t = useWords()
  const confirm = useConfirm()
  const acknowledge = useCommand(alarmCalls.acknowledge, ['alarmInfo'])
  const [falsely, shelving] = [useCommand(alarmCalls.markFalse, ['alarmInfo']), useCommand(alarmCalls.shelve, ['alarmInfo'])]
  const [mayAck, mayHandle, mayShelve] = [useMay('m10201.acknowledge'), useMay('m10201.handle'), useMay('m10201.shelve')]
  const [mayOrder, maySeeOrder] = [useMay('m10602.add'), useMay('m10602')]
  const [asked, setAsked] = useState<Asked>()

  const ack = (list: Alarm[], done = () => {}, asks = list.length > 1) => {
    const Ids = list.filter((row) => !row.AckStatus).map((row) => row.Id)
    const go = () => (Ids.length ? acknowledge.mutate({ body: { Ids } }, { onSuccess: done }) : done())
    if (asks)
      confirm({
        title: t('alarm.ackMany', { count: Ids.length }),
        content: t('alarm.ackText'),
        okText: t('button.acknowledge'),
        danger: false,
        run: go,
      })
    else go()
  }
  const handle = (alarms: Alarm[], done = () => {}) => setAsked({ what: 'handle', alarms, done })
  const aside = (alarms: Alarm[], done = () => {}) => setAsked({ what: 'shelve', alarms, done })
  const bulk: Bulk<Alarm>[] = [
    ...(mayAck ? [{ key: 'ack', label: t('button.acknowledge'), icon: <CheckOutlined />, run: ack }] : []),
    ...(mayHandle ? [{ key: 'handle', label: t('button.handle'), icon: <FileDoneOutlined />, run: handle }] : []),
    ...(mayShelve ? [{ key: 'shelve', label: t('button.shelve'), icon: <FieldTimeOutlined />, run: aside }] : []),
  ]
  /** Opens the order of an alarm, or a new one. */
  const orderOf = (row: Alarm): Action[] => {
    const icon = <ToolOutlined />
    if (row.OrderId && row.OrderNo && maySeeOrder)
      return [{ key: 'order', label: String(row.OrderNo), icon, to: `/maintenanceCenter/repair/repairOrder?Id=${row.OrderId}` }]
    if (!mayOrder || row.OrderId || !row.ProjectId) return []
    return [{ key: 'order', label: t('order.open'), icon, run: () => setAsked({ what: 'order', alarms: [row], done: () => {} }) }]
  }
  const of = (row: Alarm): Action[] => [
    ...(mayAck && !row.AckStatus ? [{ key: 'ack', label: t('button.acknowledge'), icon: <CheckOutlined />, run: () => ack([row]) }] : []),
    ...(mayHandle && row.HandleStatus !== 2
      ? [{ key: 'handle', label: t('button.handle'), icon: <FileDoneOutlined />, run: () => handle([row]) }]
      : []),
    ...orderOf(row),
    ...(mayShelve && row.IsActive
      ? [
          row.IsShelved
            ? {
                key: 'unshelve',
                label: t('alarm.unshelve'),
                icon: <FieldTimeOutlined />,
                run: () => shelving.mutate({ body: { Ids: [row.Id], Hours: 0 } }),
              }
            : { key: 'shelve', label: t('button.shelve'), icon: <FieldTimeOutlined />, run: () => aside([row]) },
        ]
      : []),
    ...(mayHandle
      ? [
          {
            key: 'false',
            label: t(row.IsFalse ? 'alarm.markTrue' : 'alarm.markFalse'),
            icon: <StopOutlined />,
            run: () => falsely.mutate({ body: { Ids: [row.Id], IsFalse: row.IsFalse ? (0 as const) : (1 as const) } }),
          },
        ]
      : []),
    ...(row.ParaId
      ? [{ key: 'trend', label: t('device.trend'), icon: <LineChartOutlined />, to: `/dataAnalysis/realTimeData?points=${row.ParaId}` }]
      : []),
  ]
  const Asking = asked?.what === 'handle' ? HandleDialog : ShelveDialog
  const close = () => {
    asked?.done()
    setAsked(undefined)
  }
  // A key is pressed by mistake more easily than a button, so it asks for confirmation; Enter confirms.
  const keys: ListKeys<Alarm> = mayAck
    ? { a: { label: t('button.acknowledge'), run: (row) => !row.AckStatus && ack([row], undefined, true) } }
    : {}
  const dialog =
    asked?.what === 'order' ? <OpenOrder alarm={asked.alarms[0]!} close={close} /> : asked && <Asking alarms={asked.alarms} close={close} />
  return { of, bulk, keys, dialogs: dialog }
}
