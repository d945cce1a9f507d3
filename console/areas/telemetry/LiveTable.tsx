import { EditOutlined, LineChartOutlined, SearchOutlined } from '@ant-design/icons'
import { Input, Table } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { type ParaInfo, telemetryCalls } from '../../../contract/areas/telemetry.ts'
import { useCall } from '../../resource/api.ts'
import { EmptyList, Failure } from '../../resource/Empty.tsx'
import { type Action, RowActions } from '../../resource/RowActions.tsx'
import { useMay } from '../../session/session.ts'
import { usePhone } from '../../theme/useWidth.ts'
import { none, numberText } from '../../words/formats.ts'
import { language, useWords } from '../../words/words.ts'
import { LiveAge, LiveState, LiveValue } from './LiveCells.tsx'
import { LiveLines } from './LiveLines.tsx'
import { WriteDialog } from './WriteDialog.tsx'

type Props = {
  /** Points of these devices; undefined = of the project, or all. */
  deviceIds?: readonly number[]
  projectId?: number
}

const pageSize = 50
const trendPath = (p: ParaInfo) => `/dataAnalysis/realTimeData?points=${p.ParaId}`

const usePoints = ({ deviceIds, projectId }: Props) => {
  const ofDevices = useCall(telemetryCalls.paraInfo, {
    query: { DeviceIds: deviceIds?.join(',') ?? '' },
    of: ['point', 'device'],
    enabled: Boolean(deviceIds?.length),
  })
  const ofProject = useCall(telemetryCalls.allParaInfo, { query: { ProjectId: projectId }, of: ['point', 'device'], enabled: !deviceIds })
  return deviceIds ? ofDevices : ofProject
}

/** Live values of points; only those of the page that is seen are subscribed. */
export const LiveTable = (props: Props) => {
  const t = useWords()
  const phone = usePhone()
  const mayWrite = useMay('m10104.write')
  const { data, error, refetch, isFetching } = usePoints(props)
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [writing, setWriting] = useState<ParaInfo>()
  const wanted = search.trim().toLocaleLowerCase()
  const rows = useMemo(
    () => (data ?? []).filter((p) => `${p.ParaName} ${p.DeviceName}`.toLocaleLowerCase().includes(wanted)),
    [data, wanted],
  )
  const seen = rows.slice((page - 1) * pageSize, page * pageSize)
  const nowhere = props.deviceIds?.length === 0
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />

  const actionsOf = (p: ParaInfo): Action[] => [
    ...(mayWrite && p.ReadWriteType > 0
      ? [{ key: 'write', label: t('button.write'), icon: <EditOutlined />, run: () => setWriting(p) }]
      : []),
    { key: 'trend', label: t('device.trend'), icon: <LineChartOutlined />, to: trendPath(p) },
  ]
  const limits = (p: ParaInfo) => {
    const text = (v: number) => numberText(v, p.DecimalDigits, language(), 3)
    if (p.AlarmLow !== null && p.AlarmHigh !== null) return `${text(p.AlarmLow)} – ${text(p.AlarmHigh)}`
    if (p.AlarmLow !== null) return `≥ ${text(p.AlarmLow)}`
    if (p.AlarmHigh !== null) return `≤ ${text(p.AlarmHigh)}`
    return <span className="faint">{none}</span>
  }
  const empty = data || nowhere ? <EmptyList text={t(wanted ? 'list.nothingFound' : 'live.noPoints')} /> : ' '
  const pagination = {
    current: page,
    pageSize,
    total: rows.length,
    onChange: setPage,
    showSizeChanger: false,
    hideOnSinglePage: rows.length <= pageSize,
    simple: phone,
  }
  return (
    <section aria-label={t('menu.m10108')}>
      <search className="search-bar">
        <Input
          className="search-text"
          prefix={<SearchOutlined className="faint" />}
          allowClear
          maxLength={40}
          value={search}
          placeholder={t('live.search')}
          aria-label={t('live.search')}
          onChange={(e) => {
            setSearch(e.target.value)
            setPage(1)
          }}
        />
        <span className="soft">{data && t('list.total', { count: rows.length })}</span>
      </search>
      {phone ? (
        <LiveLines points={seen} loading={isFetching && !data} actions={actionsOf} empty={empty} pagination={pagination} />
      ) : (
        <Table<ParaInfo>
          size="small"
          rowKey="ParaId"
          loading={{ spinning: isFetching && !data, delay: 150 }}
          dataSource={rows}
          sticky
          scroll={{ x: 'max-content' }}
          locale={{ emptyText: empty }}
          pagination={pagination}
          columns={[
            {
              key: 'name',
              title: t('point'),
              render: (_, p) => <Link to={trendPath(p)}>{p.ParaName}</Link>,
              sorter: (a, b) => a.ParaName.localeCompare(b.ParaName),
            },
            { key: 'value', title: t('live.value'), align: 'right', width: 180, render: (_, p) => <LiveValue point={p} /> },
            { key: 'state', title: t('live.state'), width: 180, render: (_, p) => <LiveState point={p} /> },
            { key: 'age', title: t('live.age'), align: 'right', width: 90, render: (_, p) => <LiveAge point={p} /> },
            { key: 'limits', title: t('live.limits'), align: 'right', render: (_, p) => <span className="figures soft">{limits(p)}</span> },
            {
              key: 'device',
              title: t('device'),
              sorter: (a, b) => a.DeviceName.localeCompare(b.DeviceName),
              render: (_, p) => <Link to={`/projectManagement/devicePointList?Id=${p.DeviceId}`}>{p.DeviceName}</Link>,
            },
            {
              key: 'actions',
              width: 88,
              align: 'right',
              title: <span className="sr-only">{t('list.actions')}</span>,
              render: (_, p) => <RowActions actions={actionsOf(p)} title={p.ParaName} />,
            },
          ]}
        />
      )}
      {writing && <WriteDialog point={writing} close={() => setWriting(undefined)} />}
    </section>
  )
}
