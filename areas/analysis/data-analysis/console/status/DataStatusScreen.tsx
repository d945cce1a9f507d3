import { Button, Modal, Popover, Table, type TableColumnsType } from 'antd'
import { type Key, useState } from 'react'
import { Link } from 'react-router'
import { useTrendView } from '../../../../../console/chart/trendView.ts'
import { useCall, useRows } from '../../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../../console/kernel/RefInput.tsx'
import { SettingsForm } from '../../../../../console/kernel/SettingsForm.tsx'
import { useMay } from '../../../../../console/session/session.ts'
import { Page } from '../../../../../console/shell/Page.tsx'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { State } from '../../../../../console/theme/State.tsx'
import { none, timeText } from '../../../../../console/words/formats.ts'
import { useWords, type Words } from '../../../../../console/words/words.ts'
import { project } from '../../../../configuration/projects/contract.ts'
import { TrendRange } from '../../../telemetry/console/TrendChoice.tsx'
import { analysisCalls, analysisSettings, type PointStatus } from '../../../telemetry/contract.ts'
import { durationText, isLittle, percentText, useEnoughCoverage } from '../figures.tsx'
import { SaveTable } from '../SaveTable.tsx'
import { useAddress, useSteadyRange } from '../useExplore.ts'
import { MeaningDrawer } from './MeaningDrawer.tsx'
import { TypeDialog } from './TypeDialog.tsx'
import './status.css'

const size = 20
const short = (at: number | null) => (at === null ? none : timeText(at).slice(0, 16))

/** The longest gaps of a point, on demand. */
const Gaps = ({ row }: { row: PointStatus }) => {
  const t = useWords()
  if (!row.GapCount) return <span className="figures">0</span>
  const list = (
    <ul className="plain-list">
      {row.Gaps.map((gap) => (
        <li key={gap.Start} className="figures">
          {timeText(gap.Start)} – {timeText(gap.End)} ({durationText(gap.End - gap.Start)})
        </li>
      ))}
    </ul>
  )
  return (
    <Popover trigger="click" title={t('status.gaps')} content={list}>
      <Button size="small" type="link" className="link-text status-count" aria-label={`${t('status.gaps')}: ${row.GapCount}`}>
        {row.GapCount}
      </Button>
    </Popover>
  )
}

/** `see` opens what is known of a point. */
type ColumnsOf = { mayDevice: boolean; enough: number; see: (id: number) => void }
const columnsOf = (t: Words, { mayDevice, enough, see }: ColumnsOf): TableColumnsType<PointStatus> => [
  {
    title: t('point'),
    width: 290,
    render: (_, row) => (
      <>
        <Button type="link" size="small" className="link-text" onClick={() => see(row.ParaId)}>
          {row.DeviceName} · {row.ParaName}
        </Button>
        <div className="soft status-about">
          {t(`point.CalDataType.${row.CalDataType}`)}
          {mayDevice && <Link to={`/projectManagement/devicePointList?Id=${row.DeviceId}&tab=why`}>{t('device.tab.why')}</Link>}
        </div>
      </>
    ),
  },
  { title: t('status.last'), width: 140, render: (_, row) => <span className="figures">{short(row.LastTime)}</span> },
  {
    title: t('explore.coverageColumn'),
    width: 85,
    align: 'right',
    render: (_, row) => {
      const text = <span className="figures">{percentText(row.Coverage)}</span>
      return isLittle(row.Coverage ?? 0, enough) ? <State is="warning">{text}</State> : text
    },
  },
  { title: t('status.gaps'), width: 70, align: 'right', render: (_, row) => <Gaps row={row} /> },
  { title: t('status.bad'), width: 65, align: 'right', className: 'figures', dataIndex: 'Bad' },
  { title: t('status.uncertain'), width: 85, align: 'right', className: 'figures', dataIndex: 'Uncertain' },
  { title: t('status.late'), width: 75, align: 'right', className: 'figures', dataIndex: 'Late' },
  { title: t('status.replaced'), width: 90, align: 'right', className: 'figures', dataIndex: 'Replaced' },
  { title: t('status.flat'), width: 140, render: (_, row) => <span className="figures">{short(row.FlatSince)}</span> },
  {
    title: t('status.events'),
    width: 85,
    align: 'right',
    render: (_, row) => (row.OpenEvents ? <State is="warning">{row.OpenEvents}</State> : row.CalDataType === 1 ? 0 : none),
  },
]

/** How well each point of a project is covered, what its values mean, and whether its counter wants an answer. */
const DataStatusScreen = () => {
  const t = useWords()
  const { params, set } = useAddress()
  const view = useTrendView('24h')
  const range = useSteadyRange(view.range, view.live)
  const [chosen, choose] = useState<readonly Key[]>([])
  const [dialog, open] = useState<'type' | 'settings'>()
  const enough = useEnoughCoverage()
  const [mayEdit, mayDevice] = [useMay('m10104.edit'), useMay('m10103')]
  const projects = useRows(project, { PageIndex: 1, PageSize: 1 })
  const asked = Number(params.get('project')) || projects.data?.Items[0]?.Id
  const page = Math.max(1, Number(params.get('page')) || 1)
  const call = { ...analysisCalls.dataStatus, path: analysisCalls.dataStatus.path.replace(':ProjectId', String(asked)) }
  const { data, error, refetch } = useCall(call, {
    body: { Start: range.start, End: range.end, PageIndex: page, PageSize: size },
    of: ['point', 'device'],
    enabled: asked !== undefined,
  })
  const items = data?.Items ?? []
  const detail = items.find((row) => row.ParaId === Number(params.get('point')))
  const head = [
    'device',
    'point',
    'point.CalDataType',
    'status.last',
    'explore.coverageColumn',
    'status.gaps',
    'status.bad',
    'status.uncertain',
    'status.late',
    'status.replaced',
    'status.flat',
    'status.events',
  ]
  const cells = (row: PointStatus) => [
    ...[row.DeviceName, row.ParaName, t(`point.CalDataType.${row.CalDataType}`), short(row.LastTime), percentText(row.Coverage)],
    ...[row.GapCount, row.Bad, row.Uncertain, row.Late, row.Replaced, short(row.FlatSince), row.OpenEvents],
  ]
  return (
    <Page
      title={t('menu.m10328')}
      actions={
        <>
          {mayEdit && (
            <>
              <Button onClick={() => open('settings')}>{t('analysisSettings')}</Button>
              <Button disabled={!chosen.length} onClick={() => open('type')}>
                {t('status.setType')}
              </Button>
            </>
          )}
          <SaveTable name={t('menu.m10328')} rows={[head.map((word) => t(word)), ...items.map(cells)]} />
        </>
      }
    >
      <div className="search-bar">
        <RefInput
          to={project}
          value={asked ?? null}
          onChange={(id) => set({ project: id ?? undefined, page: undefined })}
          allowClear={false}
          aria-label={t('project')}
          style={{ maxWidth: 360 }}
        />
      </div>
      <TrendRange view={view} since={undefined} />
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : projects.data && asked === undefined ? (
        <EmptyList text={t('overview.noProject')} />
      ) : !data ? (
        <Waiting />
      ) : (
        <div className="explore-table">
          <Table<PointStatus>
            size="small"
            rowKey="ParaId"
            dataSource={items}
            scroll={{ x: 1115 }}
            locale={{ emptyText: t('overview.noPoints') }}
            {...(mayEdit && { rowSelection: { selectedRowKeys: [...chosen], onChange: choose, preserveSelectedRowKeys: true } })}
            pagination={{
              ...{ current: page, pageSize: size, total: data.TotalCount, showSizeChanger: false },
              onChange: (next) => set({ page: next === 1 ? undefined : next }),
            }}
            columns={columnsOf(t, { mayDevice, enough, see: (id) => set({ point: id }) })}
          />
          {data.Rejected > 0 && <p className="soft">{t('status.rejected', { count: data.Rejected })}</p>}
          <p className="faint">
            {t('status.help')} {t('status.counted', { time: short(data.CountedSince) })}
          </p>
        </div>
      )}
      {detail && <MeaningDrawer row={detail} range={range} close={() => set({ point: undefined })} />}
      {dialog === 'type' && <TypeDialog ids={chosen.map(Number)} close={() => open(undefined)} done={() => choose([])} />}
      <Modal open={dialog === 'settings'} title={t('analysisSettings')} footer={null} onCancel={() => open(undefined)} destroyOnHidden>
        <SettingsForm of={analysisSettings} onSaved={() => open(undefined)} />
      </Modal>
    </Page>
  )
}
export default DataStatusScreen
