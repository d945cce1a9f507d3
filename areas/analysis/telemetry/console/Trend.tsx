import { DownloadOutlined, FileImageOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { fileName, rowsOf, saveCsv, savePng } from '../../../../console/chart/exports.ts'
import { namesOf } from '../../../../console/chart/names.ts'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { paneCount } from '../../../../console/chart/panes.ts'
import { useTrendView } from '../../../../console/chart/trendView.ts'
import { useSince } from '../../../../console/chart/useSince.ts'
import { useSize } from '../../../../console/chart/useSize.ts'
import { useTrend } from '../../../../console/chart/useTrend.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { fontFamily } from '../../../../console/theme/antd.ts'
import { useColours, useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { timeText, userZone } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { ExportButton } from '../../history/console/index.ts'
import { PlainTable } from './PlainTable.tsx'
import { PointChoice } from './PointChoice.tsx'
import { most, TrendRange } from './TrendChoice.tsx'
import { type Cursor, TrendLegend } from './TrendLegend.tsx'
import { useTrendPoints } from './useTrendPoints.ts'

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
  const [isTable, showTable] = useState(false)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { points, choose, error, isLoading, refetch } = useTrendPoints(most, { deviceId, projectId })
  const narrowed = useMemo(() => (projectId ? { ProjectId: projectId } : {}), [projectId])
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

  if (error && !points.length) return <Failure fault={error} retry={() => refetch()} />
  return around(
    <>
      <Button
        icon={<DownloadOutlined />}
        disabled={!lines.length}
        onClick={() => saveCsv(drawn, lines, t('trend.time', { zone: userZone() }))}
      >
        {t('trend.csv')}
      </Button>
      <Button disabled={!lines.length} aria-pressed={isTable} onClick={() => showTable(!isTable)}>
        {t(isTable ? 'chart.hideTable' : 'chart.showTable')}
      </Button>
      <ExportButton points={points} range={fitted} />
      <Button icon={<FileImageOutlined />} disabled={!lines.length} onClick={savePicture}>
        {t('trend.png')}
      </Button>
    </>,
    <>
      <TrendRange view={view} since={since} />
      <PointChoice points={points} choose={choose} most={most} narrowed={narrowed} clear={() => choose([])} />
      <div className="panel trend-panel">
        <TrendLegend points={drawn} lines={lines} end={fitted.end} cursor={cursor} pinned={pinned} pin={setPinned} />
        <div ref={box}>
          {query.error && !query.data ? (
            <Failure fault={query.error} retry={() => query.refetch()} />
          ) : !isLoading && !points.length ? (
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
        {isTable && <PlainTable table={rowsOf(drawn, lines, t('trend.time', { zone: userZone() }))} label={t('menu.m10301')} isLastFirst />}
      </div>
    </>,
  )
}
