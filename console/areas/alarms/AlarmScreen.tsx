import { CheckOutlined, FieldTimeOutlined, FileDoneOutlined, LineChartOutlined, StopOutlined } from '@ant-design/icons'
import { App, Button, Segmented } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { alarmCalls, alarmInfo } from '../../../contract/areas/alarms.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { Page } from '../../app/Page.tsx'
import { ListTools } from '../../list/ListTools.tsx'
import { type Bulk, RowTable } from '../../list/RowTable.tsx'
import { SearchBar } from '../../list/SearchBar.tsx'
import { useArrangement } from '../../list/useArrangement.ts'
import { useListRows } from '../../list/useListRows.ts'
import { useCommand } from '../../resource/api.ts'
import { EmptyList } from '../../resource/Empty.tsx'
import { Cell } from '../../resource/fields.tsx'
import type { Action } from '../../resource/RowActions.tsx'
import { useMay } from '../../session/session.ts'
import { Ago } from '../../words/Ago.tsx'
import { wallToEpoch } from '../../words/formats.ts'
import { useWords } from '../../words/words.ts'
import { AlarmDrawer } from './AlarmDrawer.tsx'
import { AlarmGroups } from './AlarmGroups.tsx'
import { type Alarm, AlarmLevel, AlarmPriority, AlarmState } from './AlarmLevel.tsx'
import { Facts } from './Facts.tsx'
import { HandleDialog } from './HandleDialog.tsx'
import { ShelveDialog } from './ShelveDialog.tsx'
import { SoundSwitch } from './SoundSwitch.tsx'

const resource = alarmInfo as unknown as Resource
const filters = [
  'AlarmLevel',
  'Priority',
  'AlarmType',
  'AckStatus',
  'HandleStatus',
  'ProjectId',
  'GatewayId',
  'DeviceId',
  'AlmRuleId',
  'AssigneeId',
  'IsFalse',
  'FaultCodeId',
  'StartTime',
] as const
const views = ['active', 'shelved', 'history'] as const
const columns = {
  active: ['RuleName', 'AlarmLevel', 'HandleStatus', 'DeviceId', 'LastValue', 'StartTime', 'ProjectId'],
  shelved: ['RuleName', 'AlarmLevel', 'ShelvedUntil', 'ShelveReason', 'DeviceId', 'LastValue', 'StartTime', 'ProjectId'],
  history: ['RuleName', 'AlarmLevel', 'HandleStatus', 'DeviceId', 'LastValue', 'StartTime', 'RecoverTime', 'ProjectId'],
} as const

const empty = { active: 'alarm.noActive', shelved: 'alarm.noShelved', history: 'alarm.noHistory' } as const

/** How a field of an alarm is shown specially. */
const cells: Record<string, (row: Alarm) => ReactNode> = {
  AlarmLevel: (row) => (
    <>
      <AlarmLevel of={row} /> <AlarmPriority of={row} />
    </>
  ),
  RuleName: (row) => (row.IsActive && !row.AckStatus ? <strong>{row.RuleName}</strong> : row.RuleName),
  HandleStatus: (row) => <AlarmState of={row} />,
  LastValue: (row) => <Facts alarm={row} />,
  DeviceId: (row) =>
    row.DeviceId ? (
      <Link to={`/projectManagement/devicePointList?Id=${row.DeviceId}`}>{String(row.DeviceName ?? '')}</Link>
    ) : (
      String(row.GatewayName ?? '')
    ),
}

/** Alarms that stand, newest first; or all that ever were. */
export const AlarmsPage = ({ title, type }: { title: string; type?: number }) => {
  const t = useWords()
  const { modal } = App.useApp()
  const [params, setParams] = useSearchParams()
  const view = views.find((v) => v === params.get('view')) ?? 'active'
  const untreated = params.get('type') === 'untreated'
  // An older entry of the specification: the untreated ones only.
  const fixed = useMemo(
    (): Record<string, number> => ({
      ...(view === 'history' ? {} : { IsActive: 1, IsShelved: view === 'shelved' ? 1 : 0 }),
      ...(untreated ? { HandleStatus: 0 } : {}),
      ...(type ? { AlarmType: type } : {}),
    }),
    [view, untreated, type],
  )
  const asked = useMemo(() => filters.filter((name) => !(name in fixed)), [fixed])
  const arrangement = useArrangement(resource, { columns: columns[view], filters: asked, fixed, prefix: '', variant: view })
  const { state, set } = arrangement
  const answer = useListRows(alarmInfo, arrangement)
  const acknowledge = useCommand(alarmCalls.acknowledge, ['alarmInfo'])
  const [falsely, shelving] = [useCommand(alarmCalls.markFalse, ['alarmInfo']), useCommand(alarmCalls.shelve, ['alarmInfo'])]
  const maySet = useMay('m10211')
  const [mayAck, mayHandle, mayShelve] = [useMay('m10201.acknowledge'), useMay('m10201.handle'), useMay('m10201.shelve')]
  const [putting, setPutting] = useState<{ alarms: Alarm[]; done: () => void }>()
  const opened = Number(params.get('Id')) || undefined
  const open = (id: number | undefined) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        if (id) next.set('Id', String(id))
        else next.delete('Id')
        return next
      },
      { replace: true },
    )
  const [handling, setHandling] = useState<{ alarms: Alarm[]; done: () => void }>()

  const ack = (list: Alarm[], done = () => {}) => {
    const Ids = list.filter((row) => !row.AckStatus).map((row) => row.Id)
    const go = () => (Ids.length ? acknowledge.mutate({ body: { Ids } }, { onSuccess: done }) : done())
    if (list.length > 1)
      modal.confirm({
        title: t('alarm.ackMany', { count: Ids.length }),
        content: t('alarm.ackText'),
        okText: t('button.acknowledge'),
        cancelText: t('cancel'),
        onOk: go,
      })
    else go()
  }
  const handle = (alarms: Alarm[], done = () => {}) => setHandling({ alarms, done })
  const aside = (alarms: Alarm[], done = () => {}) => setPutting({ alarms, done })
  const bulk: Bulk<Alarm>[] = [
    ...(mayAck ? [{ key: 'ack', label: t('button.acknowledge'), icon: <CheckOutlined />, run: ack }] : []),
    ...(mayHandle ? [{ key: 'handle', label: t('button.handle'), icon: <FileDoneOutlined />, run: handle }] : []),
    ...(mayShelve ? [{ key: 'shelve', label: t('button.shelve'), icon: <FieldTimeOutlined />, run: aside }] : []),
  ]
  const actionsOf = (row: Alarm): Action[] => [
    ...(mayAck && !row.AckStatus ? [{ key: 'ack', label: t('button.acknowledge'), icon: <CheckOutlined />, run: () => ack([row]) }] : []),
    ...(mayHandle && row.HandleStatus !== 2
      ? [{ key: 'handle', label: t('button.handle'), icon: <FileDoneOutlined />, run: () => handle([row]) }]
      : []),
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
  const cell = (row: Alarm, name: string) => {
    if (name === 'RuleName')
      return (
        <Button type="link" className="alarm-name" onClick={() => open(row.Id)}>
          {cells.RuleName?.(row)}
        </Button>
      )
    if (name === 'StartTime' && view !== 'history') return <Ago time={wallToEpoch(row.StartTime)} />
    return cells[name]?.(row) ?? <Cell of={resource} field={name} row={row} />
  }

  return (
    <Page
      title={t(title)}
      actions={
        <>
          <SoundSwitch />
          {maySet && (
            <Link to="/alarmManagement/alarmUserSetting" className="alarm-mine">
              {t('menu.m10211')}
            </Link>
          )}
          <Segmented
            value={view}
            onChange={(v) => setParams(v === 'active' ? {} : { view: v }, { replace: true })}
            options={views.map((value) => ({ value, label: t(`alarm.view.${value}`) }))}
          />
        </>
      }
    >
      <SearchBar of={resource} filters={asked} state={state} set={set}>
        <ListTools of={resource} arrangement={arrangement} />
      </SearchBar>
      {view === 'active' && <AlarmGroups type={type} chosen={state.filters} choose={set} />}
      <RowTable<Alarm>
        key={view}
        of={resource}
        arrangement={arrangement}
        answer={answer}
        cell={cell}
        titleOf={(row) => row.RuleName}
        right={view === 'history' ? [] : ['StartTime']}
        empty={<EmptyList text={t(empty[view])} />}
        actions={actionsOf}
        bulk={bulk}
      />
      {opened && <AlarmDrawer id={opened} close={() => open(undefined)} />}
      {putting && (
        <ShelveDialog
          alarms={putting.alarms}
          close={() => {
            putting.done()
            setPutting(undefined)
          }}
        />
      )}
      {handling && (
        <HandleDialog
          alarms={handling.alarms}
          close={() => {
            handling.done()
            setHandling(undefined)
          }}
        />
      )}
    </Page>
  )
}
const AlarmScreen = () => <AlarmsPage title="menu.m10201" />
export default AlarmScreen
