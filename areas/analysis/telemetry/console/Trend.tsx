import { DownloadOutlined, FileImageOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { fileName, saveCsv, savePng } from '../../../../console/chart/exports.ts'
import { namesOf } from '../../../../console/chart/names.ts'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { paneCount } from '../../../../console/chart/panes.ts'
import { useTrendView } from '../../../../console/chart/trendView.ts'
import { useSince } from '../../../../console/chart/useSince.ts'
import { useSize } from '../../../../console/chart/useSize.ts'
import { useTrend } from '../../../../console/chart/useTrend.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { fontFamily } from '../../../../console/theme/antd.ts'
import { useColours, useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { timeText, userZone } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type ParaInfo, telemetryCalls } from '../../../../contract/telemetry.ts'
import { ExportButton } from '../../history/console/index.ts'
import { most, TrendPoints, TrendRange } from './TrendChoice.tsx'
import { type Cursor, TrendLegend } from './TrendLegend.tsx'
import { useFirstPoints } from './useFirstPoints.ts'

/** The points that the address names, in their order; one that was just chosen is of `all`. An empty choice has none. */
const useNamedPoints = (asked: string | null, all: readonly ParaInfo[] | undefined) => {
  const isSome = /^\d+(,\d+)*$/.test(asked ?? '')
  const { data, error, isPending, refetch } = useCall(telemetryCalls.allParaInfo, {
    query: { ParaIds: asked ?? '' },
    of: ['point', 'device'],
    enabled: isSome,
  })
  const points = useMemo(() => {
    const ids = isSome ? asked!.split(',').map(Number) : []
    const known = [...(data ?? []), ...(all ?? [])]
    return ids.flatMap((id) => known.find((p) => p.ParaId === id) ?? []).slice(0, most)
  }, [asked, isSome, data, all])
  return { points, error, isLoading: isSome && isPending, refetch }
}

/** The points in the URL, or else the default chart points, of one device if the URL names it, or of one project. What else is offered may come late. */
const useShownPoints = ({ deviceId, projectId }: Pick<Props, 'deviceId' | 'projectId'>) => {
  const [params, setParams] = useSearchParams()
  const ofProject = projectId ? { ProjectId: projectId } : {}
  const all = useCall(telemetryCalls.allParaInfo, { query: ofProject, of: ['point', 'device'] })
  const devices = params.get('devices') ?? deviceId?.toString()
  const asked = params.get('points')
  const named = useNamedPoints(asked, all.data)
  const first = useFirstPoints({ ...ofProject, ...(devices ? { DeviceIds: devices } : {}) }, asked === null)
  const shown = asked === null ? first : named
  const offered = useMemo(() => all.data?.filter((p) => p.IsChartShow !== 0) ?? shown.points, [all.data, shown.points])
  const choose = (ids: number[]) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        next.delete('devices')
        next.set('points', ids.join(','))
        return next
      },
      { replace: true },
    )
  return { all, shown, offered, choose }
}

/** Height below the plot: help line, padding and footer, px. */
const below = 100
const paneHeight = 84

/** The height that fits the plot into the window, with a minimum for each pane. */
const usePlotHeight = (element: HTMLElement | null, panes: number, lines: number) => {
  const phone = usePhone()
  const [top, setTop] = useState(340)
  useLayoutEffect(() => {
    if (element && panes && lines) setTop(Math.round(element.getBoundingClientRect().top))
  }, [element, panes, lines])
  return Math.max(phone ? 320 : 300, panes * paneHeight, phone ? 0 : Math.min(900, window.innerHeight - Math.max(top, 200) - below))
}

type Props = {
  /** The device whose default points the chart shows. */
  deviceId?: number
  /** The project whose points are offered. */
  projectId?: number
  /** What surrounds the chart and its buttons. */
  around: (actions: ReactNode, chart: ReactNode) => ReactNode
}

/** Up to seven points over time, live or historical. */
export const Trend = ({ deviceId, projectId, around }: Props) => {
  const t = useWords()
  const phone = usePhone()
  const colours = useColours()
  const mode = useMode((s) => s.mode)
  const [box, width, element] = useSize()
  const view = useTrendView()
  const [cursor, setCursor] = useState<Cursor>()
  const [pinned, setPinned] = useState<number>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const { all, shown, offered, choose } = useShownPoints({ deviceId, projectId })
  const { points } = shown
  const ids = useMemo(() => points.map((p) => p.ParaId), [points])
  const { since, fitted } = useSince(ids, view.range, view.span, view.live)
  const { lines, drawn, query } = useTrend(points, fitted, view.live, width)
  const height = usePlotHeight(element, paneCount(drawn), drawn.length)
  const limited = useMemo(() => (pinned === undefined ? [] : [pinned]), [pinned])
  const keepCanvas = useCallback((found: HTMLCanvasElement | null) => {
    canvas.current = found
  }, [])
  const onCursor = useCallback((at: number | undefined, id: number | undefined) => setCursor(at === undefined ? undefined : { at, id }), [])
  const savePicture = () => {
    if (!canvas.current) return
    const curves = namesOf(drawn).map((name, i) => ({ name, colour: palette[mode][i % palette[mode].length]! }))
    const title = `${timeText(fitted.start)} – ${timeText(fitted.end)} (${userZone()})`
    savePng(canvas.current, { title, curves, colours, font: fontFamily }, fileName(drawn, 'png'))
  }

  if (shown.error && !points.length) return <Failure fault={shown.error} retry={() => shown.refetch()} />
  return around(
    <>
      <Button
        icon={<DownloadOutlined />}
        disabled={!lines.length}
        onClick={() => saveCsv(drawn, lines, t('trend.time', { zone: userZone() }))}
      >
        {t('trend.csv')}
      </Button>
      <ExportButton points={points} range={fitted} />
      <Button icon={<FileImageOutlined />} disabled={!lines.length} onClick={savePicture}>
        {t('trend.png')}
      </Button>
    </>,
    <>
      <TrendRange view={view} since={since} />
      <TrendPoints offered={offered} points={points} loading={all.isFetching && !all.data} choose={choose} />
      <div className="panel trend-panel">
        <TrendLegend points={drawn} lines={lines} end={fitted.end} cursor={cursor} pinned={pinned} pin={setPinned} />
        <div ref={box}>
          {query.error && !query.data ? (
            <Failure fault={query.error} retry={() => query.refetch()} />
          ) : !shown.isLoading && !points.length ? (
            <EmptyList text={t('trend.none')} />
          ) : (
            width > 0 && (
              <Plot
                points={drawn}
                lines={lines}
                range={fitted}
                limited={limited}
                width={width}
                height={height}
                onRange={view.show}
                onBack={view.goBack}
                onCursor={onCursor}
                canvas={keepCanvas}
              />
            )
          )}
        </div>
        <p className="faint trend-help">{t(phone ? 'trend.helpPhone' : 'trend.help')}</p>
      </div>
    </>,
  )
}
