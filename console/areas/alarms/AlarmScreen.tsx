import { CheckOutlined, FileDoneOutlined, LineChartOutlined } from '@ant-design/icons'
import { App, Button, Segmented, Table } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { alarmCalls, alarmInfo } from '../../../contract/areas/alarms.ts'
import { Page } from '../../app/Page.tsx'
import { toQuery, useListState } from '../../list/listState.ts'
import { SearchBar } from '../../list/SearchBar.tsx'
import { useCommand, useRows } from '../../resource/api.ts'
import { CardList } from '../../resource/CardList.tsx'
import { EmptyList, Failure } from '../../resource/Empty.tsx'
import { type Action, RowActions } from '../../resource/RowActions.tsx'
import { useMay } from '../../session/session.ts'
import { usePhone } from '../../theme/useWidth.ts'
import { Ago } from '../../words/Ago.tsx'
import { wallToEpoch } from '../../words/formats.ts'
import { useWords } from '../../words/words.ts'
import { type Alarm, AlarmLevel, AlarmState } from './AlarmLevel.tsx'
import { Facts } from './Facts.tsx'
import { HandleDialog } from './HandleDialog.tsx'

const filters = ['AlarmLevel', 'AckStatus', 'HandleStatus', 'ProjectId', 'DeviceId'] as const
const views = ['active', 'history'] as const

/** Alarms that stand, newest first; or all that ever were. */
const AlarmScreen = () => {
  const t = useWords()
  const phone = usePhone()
  const { modal } = App.useApp()
  const [state, set] = useListState([...filters, 'view', 'type'])
  const { view, type, ...narrowed } = state.filters
  const history = view === 'history'
  // An older entry of the specification: the untreated ones only.
  const fixed: Record<string, number> = { ...(history ? {} : { IsActive: 1 }), ...(type === 'untreated' ? { HandleStatus: 0 } : {}) }
  const { data, error, isFetching, refetch } = useRows(alarmInfo, toQuery(alarmInfo, { ...state, filters: narrowed }, fixed))
  const acknowledge = useCommand(alarmCalls.acknowledge, ['alarmInfo'])
  const [mayAck, mayHandle] = [useMay('m10201.acknowledge'), useMay('m10201.handle')]
  const [selected, setSelected] = useState<number[]>([])
  const [handling, setHandling] = useState<Alarm[]>()
  const rows = data?.Items as Alarm[] | undefined
  const chosen = rows?.filter((row) => selected.includes(row.Id)) ?? []

  const ack = (list: Alarm[]) => {
    const Ids = list.filter((row) => !row.AckStatus).map((row) => row.Id)
    const go = () => Ids.length > 0 && acknowledge.mutate({ body: { Ids } }, { onSuccess: () => setSelected([]) })
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
  const actionsOf = (row: Alarm): Action[] => [
    ...(mayAck && !row.AckStatus ? [{ key: 'ack', label: t('button.acknowledge'), icon: <CheckOutlined />, run: () => ack([row]) }] : []),
    ...(mayHandle && row.HandleStatus !== 2
      ? [{ key: 'handle', label: t('button.handle'), icon: <FileDoneOutlined />, run: () => setHandling([row]) }]
      : []),
    ...(row.ParaId
      ? [{ key: 'trend', label: t('device.trend'), icon: <LineChartOutlined />, to: `/dataAnalysis/realTimeData?points=${row.ParaId}` }]
      : []),
  ]
  const age = (row: Alarm) => <Ago time={wallToEpoch(row.StartTime)} />
  const device = (row: Alarm) =>
    row.DeviceId ? (
      <Link to={`/projectManagement/devicePointList?Id=${row.DeviceId}`}>{String(row.DeviceName ?? '')}</Link>
    ) : (
      String(row.GatewayName ?? '')
    )
  const name = (row: Alarm) => (row.IsActive && !row.AckStatus ? <strong>{row.RuleName}</strong> : row.RuleName)
  const empty = data ? <EmptyList text={t(history ? 'alarm.noHistory' : 'alarm.noActive')} /> : ' '
  const pagination = {
    current: state.page,
    pageSize: state.size,
    total: data?.TotalCount,
    showSizeChanger: true,
    hideOnSinglePage: (data?.TotalCount ?? 0) <= 20,
    simple: phone,
    showTotal: (count: number) => t(data?.TotalMore ? 'list.totalMore' : 'list.total', { count }),
    onChange: (page: number, size: number) => set({ page: size === state.size ? page : 1, size: size === 20 ? null : size }),
  }
  const order = state.sort || alarmInfo.order
  const sorted = (name: string) => ({
    sorter: true,
    sortOrder: order.replace(/^-/, '') === name ? (order.startsWith('-') ? ('descend' as const) : ('ascend' as const)) : null,
  })

  const past = (['StartTime', 'RecoverTime'] as const).map((name) => ({
    key: name,
    title: t(`alarmInfo.${name}`),
    ...sorted(name),
    render: (_: unknown, row: Alarm) => <span className="figures">{row[name]}</span>,
  }))

  return (
    <Page
      title={t('menu.m10201')}
      actions={
        <Segmented
          value={history ? 'history' : 'active'}
          onChange={(v) => set({ view: v === 'history' ? v : null })}
          options={views.map((value) => ({ value, label: t(`alarm.view.${value}`) }))}
        />
      }
    >
      <SearchBar of={alarmInfo} filters={filters} state={{ ...state, filters: narrowed }} set={set} />
      {chosen.length > 0 && (
        <div className="bulk-bar" role="status">
          <span>{t('list.selected', { count: chosen.length })}</span>
          {mayAck && (
            <Button size="small" icon={<CheckOutlined />} onClick={() => ack(chosen)}>
              {t('button.acknowledge')}
            </Button>
          )}
          {mayHandle && (
            <Button size="small" icon={<FileDoneOutlined />} onClick={() => setHandling(chosen)}>
              {t('button.handle')}
            </Button>
          )}
          <Button type="link" size="small" onClick={() => setSelected([])}>
            {t('list.unselect')}
          </Button>
        </div>
      )}
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : phone ? (
        <CardList
          rows={rows}
          loading={isFetching && !data}
          title={name}
          lines={(row) => [
            { key: 'level', label: t('alarmInfo.AlarmLevel'), content: <AlarmLevel of={row} /> },
            { key: 'state', label: t('alarm.state'), content: <AlarmState of={row} /> },
            { key: 'age', label: t('alarm.since'), content: age(row) },
            { key: 'value', label: t('alarmInfo.LastValue'), content: <Facts alarm={row} /> },
            { key: 'device', label: t('device'), content: device(row) },
          ]}
          actions={(row) => <RowActions actions={actionsOf(row)} title={row.RuleName} icons={1} />}
          empty={empty}
          pagination={pagination}
        />
      ) : (
        <Table<Alarm>
          rowKey="Id"
          size="small"
          loading={{ spinning: isFetching && !data, delay: 150 }}
          dataSource={rows}
          sticky
          scroll={{ x: 'max-content' }}
          locale={{ emptyText: empty }}
          pagination={pagination}
          rowSelection={mayAck || mayHandle ? { selectedRowKeys: selected, onChange: (keys) => setSelected(keys.map(Number)) } : undefined}
          onChange={(_, __, sorter, { action }) => {
            const s = Array.isArray(sorter) ? sorter[0] : sorter
            if (action === 'sort') set({ sort: s?.order ? `${s.order === 'descend' ? '-' : ''}${String(s.columnKey)}` : null })
          }}
          columns={[
            {
              key: 'AlarmLevel',
              title: t('alarmInfo.AlarmLevel'),
              width: 110,
              ...sorted('AlarmLevel'),
              render: (_, row) => <AlarmLevel of={row} />,
            },
            { key: 'RuleName', title: t('alarmInfo.RuleName'), ...sorted('RuleName'), render: (_, row) => name(row) },
            { key: 'state', title: t('alarm.state'), render: (_, row) => <AlarmState of={row} /> },
            { key: 'DeviceId', title: t('device'), render: (_, row) => device(row) },
            { key: 'value', title: t('alarmInfo.LastValue'), align: 'right', render: (_, row) => <Facts alarm={row} /> },
            ...(history
              ? past
              : [
                  { key: 'age', title: t('alarm.since'), align: 'right' as const, width: 80, render: (_: unknown, row: Alarm) => age(row) },
                ]),
            { key: 'ProjectId', title: t('project'), render: (_, row) => String(row.ProjectName ?? '') },
            {
              key: 'actions',
              fixed: 'right',
              width: 104,
              align: 'right',
              title: <span className="sr-only">{t('list.actions')}</span>,
              render: (_, row) => <RowActions actions={actionsOf(row)} title={row.RuleName} />,
            },
          ]}
        />
      )}
      {handling && (
        <HandleDialog
          alarms={handling}
          close={() => {
            setHandling(undefined)
            setSelected([])
          }}
        />
      )}
    </Page>
  )
}
export default AlarmScreen
