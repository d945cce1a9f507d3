import { Button, Segmented } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { Cell } from '../../../../console/kernel/fields.tsx'
import { ListTools } from '../../../../console/kernel/list/ListTools.tsx'
import { RowTable } from '../../../../console/kernel/list/RowTable.tsx'
import { SearchBar } from '../../../../console/kernel/list/SearchBar.tsx'
import { useArrangement } from '../../../../console/kernel/list/useArrangement.ts'
import { useListRows } from '../../../../console/kernel/list/useListRows.ts'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { Ago } from '../../../../console/words/moments.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmInfo } from '../contract.ts'
import { AlarmCard } from './AlarmCard.tsx'
import { AlarmDrawer } from './AlarmDrawer.tsx'
import { AlarmGroups } from './AlarmGroups.tsx'
import { type Alarm, AlarmLevel, AlarmPriority, AlarmState } from './AlarmLevel.tsx'
import { SoundSwitch } from './SoundSwitch.tsx'
import { useAlarmActions } from './useAlarmActions.tsx'

const resource = alarmInfo
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
  active: ['RuleName', 'AlarmLevel', 'HandleStatus', 'DeviceId', 'AlarmDesc', 'StartTime', 'ProjectId'],
  shelved: ['RuleName', 'AlarmLevel', 'ShelvedUntil', 'ShelveReason', 'DeviceId', 'AlarmDesc', 'StartTime', 'ProjectId'],
  history: ['RuleName', 'StartTime', 'AlarmLevel', 'HandleStatus', 'RecoverTime', 'DeviceId', 'AlarmDesc', 'ProjectId'],
} as const

const empty = { active: 'alarm.noActive', shelved: 'alarm.noShelved', history: 'alarm.noHistory' } as const

/** Custom cells of alarm fields. */
const cells: Record<string, (row: Alarm) => ReactNode> = {
  AlarmLevel: (row) => (
    <>
      <AlarmLevel of={row} /> <AlarmPriority of={row} />
    </>
  ),
  RuleName: (row) => (row.IsActive && !row.AckStatus ? <strong>{row.RuleName}</strong> : row.RuleName),
  HandleStatus: (row) => <AlarmState of={row} />,
  AlarmDesc: (row) => <span className="figures">{row.AlarmDesc}</span>,
  DeviceId: (row) =>
    row.DeviceId ? (
      <Link to={`/projectManagement/devicePointList?Id=${row.DeviceId}`}>{String(row.DeviceName ?? '')}</Link>
    ) : (
      String(row.GatewayName ?? '')
    ),
}

/** Active alarms, newest first, or the full history. */
export const AlarmsPage = ({ title, type }: { title: string; type?: number }) => {
  const t = useWords()
  const [params, put] = useAddress()
  const setParams = useSearchParams()[1]
  const view = views.find((v) => v === params.get('view')) ?? 'active'
  const untreated = params.get('type') === 'untreated'
  // A legacy address of the specification: only unhandled alarms.
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
  const actions = useAlarmActions()
  const maySet = useMay('m10211')
  // Links use `Id`; an alarm opened here keeps the list in its tab.
  const opened = Number(params.get('alarm') ?? params.get('Id')) || undefined
  const open = (id: number | undefined) => put({ alarm: id, Id: null })
  const cell = (row: Alarm, name: string) => {
    if (name === 'RuleName')
      return (
        <Button type="link" className="alarm-name" onClick={() => open(row.Id)}>
          {cells.RuleName?.(row)}
        </Button>
      )
    if (name === 'StartTime' && view !== 'history') return <Ago time={row.StartTime} />
    return cells[name]?.(row) ?? <Cell of={resource} field={name} row={row} short />
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
      <SearchBar of={resource} filters={arrangement.filters} state={state} set={set}>
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
        actions={actions.of}
        bulk={actions.bulk}
        keys={actions.keys}
        card={(row) => <AlarmCard of={row} open={() => open(row.Id)} actions={actions.of(row)} />}
      />
      {opened && <AlarmDrawer id={opened} close={() => open(undefined)} actions={actions.of} />}
      {actions.dialogs}
    </Page>
  )
}
const AlarmScreen = () => <AlarmsPage title="menu.m10201" />
export default AlarmScreen
