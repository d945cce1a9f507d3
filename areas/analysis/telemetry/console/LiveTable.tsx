import { EditOutlined, LineChartOutlined } from '@ant-design/icons'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { Cell } from '../../../../console/kernel/fields.tsx'
import { ListTools } from '../../../../console/kernel/list/ListTools.tsx'
import { RowTable } from '../../../../console/kernel/list/RowTable.tsx'
import { SearchBar } from '../../../../console/kernel/list/SearchBar.tsx'
import { useArrangement } from '../../../../console/kernel/list/useArrangement.ts'
import type { Action } from '../../../../console/kernel/RowActions.tsx'
import { LiveAge, LiveState, LiveValue } from '../../../../console/live/LiveCells.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { none } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { isGone, type ParaInfo, telemetryCalls } from '../../../../contract/telemetry.ts'
import { LiveLines } from './LiveLines.tsx'
import { type LiveRow, limitsText, live, liveColumns, narrow, saveLive } from './liveRow.ts'
import { useAllPoints } from './useAllPoints.ts'
import { WriteDialog } from './WriteDialog.tsx'

type Props = {
  /** Points of these devices; undefined = of the project, or all. */
  deviceIds?: readonly number[] | undefined
  projectId?: number | undefined
  /** Given ones, in their order. */
  points?: readonly ParaInfo[]
  /** Shown on the device's page, which already names the device. */
  own?: boolean
}

const nothing: readonly string[] = []
const place = { columns: liveColumns, filters: nothing, fixed: {}, prefix: '' }
const ownPlace = { ...place, columns: liveColumns.filter((name) => name !== 'DeviceName'), variant: 'device' }
const figures = ['Value', 'Age', 'Limits']
const trendPath = (p: ParaInfo) => `/dataAnalysis/realTimeData?points=${p.ParaId}`

const usePoints = ({ deviceIds, projectId, points }: Props) => {
  const ofDevices = useCall(telemetryCalls.paraInfo, {
    query: { DeviceIds: deviceIds?.join(',') ?? '' },
    of: ['point', 'device'],
    enabled: Boolean(deviceIds?.length),
  })
  const ofProject = useAllPoints(projectId, !deviceIds && !points)
  if (points) return { data: [...points], left: 0, error: null, refetch: ofProject.refetch }
  if (deviceIds) return { ...ofDevices, left: 0 }
  const { data, error, refetch } = ofProject
  return { data: data?.points, left: data ? data.total - data.points.length : 0, error, refetch }
}

/** Live values of points; only those of the page that is seen are subscribed. */
export const LiveTable = (props: Props) => {
  const t = useWords()
  const mayWrite = useMay('m10104.write')
  const { data, left, error, refetch } = usePoints(props)
  const arrangement = useArrangement(live, props.own ? ownPlace : place)
  const { state, set } = arrangement
  const [writing, setWriting] = useState<ParaInfo>()
  const known = props.deviceIds?.length === 0 ? [] : data
  const rows = useMemo(() => known && narrow(known, state), [known, state])
  const current = writing && (known?.find((p) => p.ParaId === writing.ParaId) ?? writing)
  const seen = rows?.slice((state.page - 1) * state.size, state.page * state.size)

  const actionsOf = (p: LiveRow): Action[] => [
    ...(mayWrite && p.ReadWriteType > 0
      ? [
          {
            key: 'write',
            label: t('button.write'),
            icon: <EditOutlined />,
            disabled: isGone(p.DeviceStatus),
            why: t('write.deviceGone', { device: p.DeviceName }),
            run: () => setWriting(p),
          },
        ]
      : []),
    { key: 'trend', label: t('device.trend'), icon: <LineChartOutlined />, to: trendPath(p) },
  ]
  const cell = (p: LiveRow, name: string) => {
    switch (name) {
      case 'ParaName':
        return <Link to={trendPath(p)}>{p.ParaName}</Link>
      case 'DeviceName':
        return <Link to={`/projectManagement/devicePointList?Id=${p.DeviceId}`}>{p.DeviceName}</Link>
      case 'Value':
        return <LiveValue point={p} />
      case 'State':
        return <LiveState point={p} />
      case 'Age':
        return <LiveAge point={p} />
      case 'Limits':
        return <span className="figures soft">{limitsText(p, language(), t) || none}</span>
      default:
        return <Cell of={live} field={name} row={p} short />
    }
  }
  const empty = <EmptyList text={t(state.search ? 'list.nothingFound' : 'live.noPoints')} />
  return (
    <section aria-label={t('menu.m10108')}>
      <SearchBar of={live} filters={nothing} state={state} set={set}>
        <ListTools
          of={live}
          arrangement={arrangement}
          exportNow={() =>
            saveLive(
              rows ?? [],
              arrangement.columns.map((c) => c.Field),
            )
          }
        />
      </SearchBar>
      <RowTable<LiveRow>
        of={live}
        arrangement={arrangement}
        answer={{ data: seen && { Items: seen, TotalCount: rows?.length ?? 0, TotalMore: false }, error, refetch }}
        cell={cell}
        titleOf={(p) => p.ParaName}
        right={figures}
        empty={empty}
        actions={actionsOf}
        lines={(points, loading, pagination) => (
          <LiveLines own={props.own} points={points} loading={loading} actions={actionsOf} empty={empty} pagination={pagination} />
        )}
      />
      {left > 0 && <p className="soft">{t('live.left', { count: left })}</p>}
      <p className="soft">{t('live.noticed')}</p>
      {current && <WriteDialog point={current} close={() => setWriting(undefined)} />}
    </section>
  )
}
