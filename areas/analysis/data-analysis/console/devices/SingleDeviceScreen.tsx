import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { Plot } from '../../../../../console/chart/Plot.tsx'
import { paneCount } from '../../../../../console/chart/panes.ts'
import { useTrendView } from '../../../../../console/chart/trendView.ts'
import { useSize } from '../../../../../console/chart/useSize.ts'
import { useTrend } from '../../../../../console/chart/useTrend.ts'
import { useCall } from '../../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../../console/session/session.ts'
import { Page } from '../../../../../console/shell/Page.tsx'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../../console/words/words.ts'
import { mostPreselected } from '../../../../../contract/point-rules.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'
import { device } from '../../../../configuration/devices/contract.ts'
import { ExportButton } from '../../../history/console/index.ts'
import { ReportButton } from '../../../reports/console/index.ts'
import { TrendRange } from '../../../telemetry/console/TrendChoice.tsx'
import { type Cursor, TrendLegend } from '../../../telemetry/console/TrendLegend.tsx'
import { analysisCalls } from '../../../telemetry/contract.ts'
import { EventStrip } from '../EventStrip.tsx'
import { NotePanel } from '../NotePanel.tsx'
import { SpanStatistics } from '../SpanStatistics.tsx'
import { StateLanes } from '../StateLanes.tsx'
import { useAddress, useSteadyRange } from '../useExplore.ts'

/** Of a device without points that charts preselect. */
const few = 3
const nobody: readonly ParaInfo[] = []

/** The curves that charts preselect, with what happened below them. */
const Curves = ({ points, view }: { points: readonly ParaInfo[]; view: ReturnType<typeof useTrendView> }) => {
  const t = useWords()
  const [box, width] = useSize()
  const [cursor, setCursor] = useState<Cursor>()
  const [isNoting, note] = useState(false)
  const steady = useSteadyRange(view.range, view.live)
  const { lines, drawn, query } = useTrend(points, view.range, view.live, width)
  return (
    <div className="panel trend-panel">
      <TrendLegend points={drawn} lines={lines} end={view.range.end} cursor={cursor} pinned={undefined} pin={() => undefined} />
      <div ref={box}>
        {query.error && !query.data && <Failure fault={query.error} retry={() => query.refetch()} />}
        {width > 0 && (
          <Plot
            points={drawn}
            lines={lines}
            range={view.range}
            width={width}
            height={Math.max(280, paneCount(drawn) * 90)}
            onRange={view.show}
            onBack={view.goBack}
            onCursor={(at, id) => setCursor(at === undefined ? undefined : { at, id })}
          />
        )}
      </div>
      {width > 0 && <EventStrip points={points} drawn={drawn} range={steady} width={width} addNote={() => note(true)} />}
      {isNoting && <NotePanel points={points} at={cursor?.at ?? steady.end} close={() => note(false)} />}
      <p className="faint trend-help">{t('single.curves')}</p>
    </div>
  )
}

/** Everything that is known of one device in one period. */
const SingleDeviceScreen = () => {
  const t = useWords()
  const { params, set } = useAddress()
  const deviceId = Number(params.get('device')) || undefined
  const view = useTrendView('24h')
  const range = useSteadyRange(view.range, view.live)
  const [mayDevice, mayLive] = [useMay('m10103'), useMay('m10108')]
  const { data, error, refetch } = useCall(analysisCalls.findPoints, {
    query: { DeviceId: deviceId ?? 1 },
    of: ['point', 'device'],
    enabled: deviceId !== undefined,
  })
  const points = deviceId === undefined ? nobody : (data?.Items.filter((p) => p.DeviceId === deviceId) ?? nobody)
  const drawn = useMemo(() => {
    const levels = points.filter((p) => p.CalDataType !== 3)
    const marked = levels.filter((p) => p.IsChartShow === 2)
    return marked.length ? marked.slice(0, mostPreselected) : levels.slice(0, few)
  }, [points])
  const states = points.filter((p) => p.CalDataType === 3)
  const levels = points.filter((p) => p.CalDataType !== 3)
  return (
    <Page
      title={t('menu.m10327')}
      actions={
        points.length > 0 && (
          <>
            {mayLive && (
              <Link to={`/projectManagement/realTimeData?DeviceId=${deviceId}`}>
                <Button>{t('menu.m10108')}</Button>
              </Link>
            )}
            {mayDevice && (
              <Link to={`/projectManagement/devicePointList?Id=${deviceId}`}>
                <Button>{t('single.page')}</Button>
              </Link>
            )}
            <ReportButton points={points} range={range} />
            <ExportButton points={points} range={range} unit="hour" shape="time" />
          </>
        )
      }
    >
      <div className="search-bar">
        <RefInput
          to={device}
          value={deviceId ?? null}
          onChange={(id) => set({ device: id ?? undefined })}
          placeholder={t('single.choose')}
          aria-label={t('device')}
          style={{ maxWidth: 420 }}
        />
      </div>
      <TrendRange view={view} since={undefined} />
      {deviceId === undefined ? (
        <EmptyList text={t('single.none')} />
      ) : error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Waiting />
      ) : !points.length ? (
        <EmptyList text={t('explore.noPoints')} />
      ) : (
        <>
          {drawn.length > 0 && <Curves key={deviceId} points={drawn} view={view} />}
          {states.length > 0 && (
            <>
              <h2 className="explore-head">{t('single.states')}</h2>
              <StateLanes points={states.slice(0, 20)} range={range} />
            </>
          )}
          {levels.length > 0 && <SpanStatistics points={levels} range={range} />}
          {data.More === 1 && <p className="soft">{t('single.more')}</p>}
        </>
      )}
    </Page>
  )
}
export default SingleDeviceScreen
