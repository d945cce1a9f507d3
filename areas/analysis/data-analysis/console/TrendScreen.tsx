import { DownloadOutlined, FileImageOutlined } from '@ant-design/icons'
import { Button, Segmented, Select } from 'antd'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Line } from '../../../../console/chart/assemble.ts'
import { fileName, rowsOf, saveCsv, savePng } from '../../../../console/chart/exports.ts'
import { namesOf } from '../../../../console/chart/names.ts'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { paneCount } from '../../../../console/chart/panes.ts'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useTrendView } from '../../../../console/chart/trendView.ts'
import { useSince } from '../../../../console/chart/useSince.ts'
import { useSize } from '../../../../console/chart/useSize.ts'
import { type Earlier, useTrend } from '../../../../console/chart/useTrend.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { fontFamily } from '../../../../console/theme/antd.ts'
import { useColours, useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { timeText, userZone } from '../../../../console/words/formats.ts'
import { useWords, type Words } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { useTrendPoints } from '../../telemetry/console/index.ts'
import { PlainTable } from '../../telemetry/console/PlainTable.tsx'
import { PointChoice } from '../../telemetry/console/PointChoice.tsx'
import { TrendRange } from '../../telemetry/console/TrendChoice.tsx'
import { type Cursor, TrendLegend } from '../../telemetry/console/TrendLegend.tsx'
import { EventStrip } from './EventStrip.tsx'
import { NotePanel } from './NotePanel.tsx'
import { SaveGroup } from './SaveGroup.tsx'
import { SpanStatistics } from './SpanStatistics.tsx'
import { type EarlierPeriod, earlierOf, earlierPeriods, useAddress, useChoice, useSteadyRange } from './useExplore.ts'

/** Curves of one chart. */
const mostCurves = 20

const paneHeight = 96
/** Ids of curves of earlier times, which are none of points. */
const beyondIds = 1e13

/** The earlier times that the address names. */
const useEarlier = () => {
  const { params, set } = useAddress()
  const text = params.get('compare') ?? ''
  const chosen = useMemo(() => earlierPeriods.filter((period) => text.split(',').includes(period)), [text])
  const earlier = useMemo(
    (): Earlier => ({ key: chosen.join(), startsOf: (range) => chosen.map((period) => Math.round(earlierOf(period, range).start)) }),
    [chosen],
  )
  return { chosen, earlier, choose: (next: EarlierPeriod[]) => set({ compare: next.join() }) }
}

type Curves = { points: ParaInfo[]; lines: Line[] }
/** Curves of this time, and beside them those of earlier times under names of their own. */
const together = (
  drawn: readonly ParaInfo[],
  lines: readonly Line[],
  compared: readonly Line[][],
  periods: readonly string[],
  t: Words,
): Curves => {
  const all: Curves = { points: [...drawn], lines: [...lines] }
  for (const [k, of] of compared.entries())
    for (const line of of) {
      const point = drawn.find((p) => p.ParaId === line.ParaId)
      if (!point || !periods[k]) continue
      const ParaId = point.ParaId + (k + 1) * beyondIds
      all.points.push({ ...point, ParaId, ParaName: `${point.ParaName} · ${t(`compare.${periods[k]}`)}` })
      all.lines.push({ ...line, ParaId })
    }
  return all
}

/** A plot for each curve: its name takes the place of the unit that curves would share. */
const apart = (points: readonly ParaInfo[]) => {
  const names = namesOf(points)
  return points.map((p, i) => ({ ...p, ParaUnitName: p.ParaUnitName ? `${names[i]} (${p.ParaUnitName})` : names[i]! }))
}

const usePicture = (points: readonly ParaInfo[], range: Range) => {
  const colours = useColours()
  const mode = useMode((s) => s.mode)
  const canvas = useRef<HTMLCanvasElement>(null)
  const keep = useCallback((found: HTMLCanvasElement | null) => {
    canvas.current = found
  }, [])
  const save = () => {
    if (!canvas.current) return
    const curves = namesOf(points).map((name, i) => ({ name, colour: palette[mode][i % palette[mode].length]! }))
    const title = `${timeText(range.start)} – ${timeText(range.end)} (${userZone()})`
    savePng(canvas.current, { title, curves, colours, font: fontFamily }, fileName(points, 'png'))
  }
  return { keep, save }
}

type ActionsProps = { all: Curves; save: () => void; saveGroup: (() => void) | undefined }
const TrendActions = ({ all, save, saveGroup }: ActionsProps) => {
  const t = useWords()
  const has = all.lines.length > 0
  return (
    <>
      {saveGroup && (
        <Button disabled={!has} onClick={saveGroup}>
          {t('trend.saveGroup')}
        </Button>
      )}
      <Button
        icon={<DownloadOutlined />}
        disabled={!has}
        onClick={() => saveCsv(all.points, all.lines, t('trend.time', { zone: userZone() }))}
      >
        {t('trend.csv')}
      </Button>
      <Button icon={<FileImageOutlined />} disabled={!has} onClick={save}>
        {t('trend.png')}
      </Button>
    </>
  )
}

/** Any points over time, live or historical, over earlier times, with what happened and their figures. */
const TrendScreen = () => {
  const t = useWords()
  const phone = usePhone()
  const [box, width] = useSize()
  const view = useTrendView()
  const { points, choose, error, isLoading, refetch } = useTrendPoints(mostCurves)
  const [layout, setLayout] = useChoice('plots', ['unit', 'own'] as const)
  const [events, setEvents] = useChoice('events', ['off', 'on'] as const)
  const [figures, setFigures] = useChoice('figures', ['off', 'on'] as const)
  const [table, setTable] = useChoice('table', ['off', 'on'] as const)
  const [, setParams] = useSearchParams()
  const { chosen, earlier, choose: compare } = useEarlier()
  const mayGroup = useMay('m10308.add')
  const [dialog, open] = useState<'group' | 'note'>()
  const [cursor, setCursor] = useState<Cursor>()
  const [pinned, setPinned] = useState<number>()
  const ids = useMemo(() => points.map((p) => p.ParaId), [points])
  const { since, fitted } = useSince(ids, view.range, view.span, view.live)
  const { lines, drawn, compared, query } = useTrend(points, fitted, view.live, width, earlier)
  const all = useMemo(() => together(drawn, lines, compared, chosen, t), [drawn, lines, compared, chosen, t])
  const shown = useMemo(() => (layout === 'own' ? apart(all.points) : all.points), [layout, all.points])
  const steady = useSteadyRange(fitted, view.live)
  const limited = useMemo(() => (pinned === undefined ? [] : [pinned]), [pinned])
  const onCursor = useCallback((at: number | undefined, id: number | undefined) => setCursor(at === undefined ? undefined : { at, id }), [])
  const picture = usePicture(all.points, fitted)
  const height = Math.max(phone ? 320 : 380, paneCount(shown) * paneHeight)
  const clear = () => {
    setParams((old) => new URLSearchParams([...old].filter(([name]) => name !== 'devices')), { replace: true })
    choose([])
  }
  return (
    <Page
      title={t('menu.m10301')}
      actions={<TrendActions all={all} save={picture.save} saveGroup={mayGroup ? () => open('group') : undefined} />}
    >
      <TrendRange view={view} since={since} />
      <PointChoice points={points} choose={choose} most={mostCurves} clear={clear} />
      <div className="search-bar">
        <Select<EarlierPeriod[]>
          mode="multiple"
          value={chosen}
          onChange={compare}
          options={earlierPeriods.map((value) => ({ value, label: t(`compare.${value}`) }))}
          placeholder={t('trend.compare')}
          aria-label={t('trend.compare')}
          style={{ minWidth: 260 }}
        />
        <Segmented
          value={layout}
          onChange={setLayout}
          options={(['unit', 'own'] as const).map((value) => ({ value, label: t(value === 'own' ? 'trend.own' : 'trend.byUnit') }))}
          aria-label={t('trend.layout')}
        />
        <Button aria-pressed={events === 'on'} onClick={() => setEvents(events === 'on' ? 'off' : 'on')}>
          {t(events === 'on' ? 'overlay.hide' : 'overlay.show')}
        </Button>
        <Button aria-pressed={figures === 'on'} onClick={() => setFigures(figures === 'on' ? 'off' : 'on')}>
          {t(figures === 'on' ? 'trend.hideStatistics' : 'trend.statistics')}
        </Button>
        <Button aria-pressed={table === 'on'} onClick={() => setTable(table === 'on' ? 'off' : 'on')}>
          {t(table === 'on' ? 'chart.hideTable' : 'chart.showTable')}
        </Button>
      </div>
      <div className="panel trend-panel">
        <TrendLegend points={all.points} lines={all.lines} end={fitted.end} cursor={cursor} pinned={pinned} pin={setPinned} />
        <div ref={box}>
          {error && !points.length ? (
            <Failure fault={error} retry={() => refetch()} />
          ) : query.error && !query.data ? (
            <Failure fault={query.error} retry={() => query.refetch()} />
          ) : !isLoading && !points.length ? (
            <EmptyList text={t('trend.none')} />
          ) : (
            width > 0 && (
              <Plot
                points={shown}
                lines={all.lines}
                range={fitted}
                limited={limited}
                width={width}
                height={height}
                onRange={view.show}
                onBack={view.goBack}
                onCursor={onCursor}
                canvas={picture.keep}
              />
            )
          )}
        </div>
        <p className="faint trend-help">{t(phone ? 'trend.helpPhone' : 'trend.help')}</p>
        {events === 'on' && width > 0 && (
          <EventStrip points={points} drawn={shown} range={steady} width={width} addNote={() => open('note')} />
        )}
        {table === 'on' && (
          <PlainTable table={rowsOf(all.points, all.lines, t('trend.time', { zone: userZone() }))} label={t('menu.m10301')} isLastFirst />
        )}
      </div>
      {figures === 'on' && points.length > 0 && <SpanStatistics points={points} range={steady} />}
      {dialog === 'group' && <SaveGroup points={points} close={() => open(undefined)} />}
      {dialog === 'note' && <NotePanel points={points} at={cursor?.at ?? fitted.end} close={() => open(undefined)} />}
    </Page>
  )
}
export default TrendScreen
