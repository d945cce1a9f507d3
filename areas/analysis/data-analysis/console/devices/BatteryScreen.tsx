import { Button, Table } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { assemble } from '../../../../../console/chart/assemble.ts'
import { namesOf } from '../../../../../console/chart/names.ts'
import { Plot } from '../../../../../console/chart/Plot.tsx'
import { paneCount } from '../../../../../console/chart/panes.ts'
import { useSize } from '../../../../../console/chart/useSize.ts'
import { useCall } from '../../../../../console/kernel/api.ts'
import { State } from '../../../../../console/theme/State.tsx'
import { none, numberText, timeText } from '../../../../../console/words/formats.ts'
import { language, useWords } from '../../../../../console/words/words.ts'
import { type ParaInfo, type Series, telemetryCalls } from '../../../../../contract/telemetry.ts'
import { Frame } from '../Frame.tsx'
import { cellsOf, SaveTable } from '../SaveTable.tsx'
import { useExplore } from '../useExplore.ts'
import { type Level, type Outlook, outlookOf, sinceCharge, slopeOf } from './battery.ts'

const most = 50
const dayMs = 86_400_000
/** Of points in percent without a low limit. */
const usuallyEmpty = 20

/** Means of complete buckets; the current one covers less time. */
const levelsOf = (s: Series | undefined, step: number): Level[] =>
  (s?.Time ?? []).flatMap((time, i) => {
    const value = s!.Mean?.[i] ?? s!.Avg[i] ?? null
    return value === null || time + step > Date.now() ? [] : [{ time, value }]
  })

type Row = {
  point: ParaInfo
  name: string
  level: number | null
  at: number | null
  empty: number | null
  line: ReturnType<typeof slopeOf>
  charged: number | null
  outlook: Outlook
}
const rowOf = (point: ParaInfo, name: string, s: Series | undefined, step: number): Row => {
  const { levels, charged } = sinceCharge(levelsOf(s, step))
  const line = slopeOf(levels)
  const level = s?.Last.at(-1) ?? null
  const empty = point.AlarmLow ?? (point.ParaUnitName.includes('%') ? usuallyEmpty : null)
  return { point, name, level, at: s?.Time.at(-1) ?? null, empty, line, charged, outlook: outlookOf(level, empty, line) }
}

/** How full batteries are, how fast they empty, and for how long they will last. */
const BatteryScreen = () => {
  const t = useWords()
  const explore = useExplore(most, { standard: '30d', codes: 'battery.soc,battery.voltage' })
  const { points, ids, range, view } = explore
  const [box, width] = useSize()
  const isLong = range.end - range.start > 10 * dayMs
  const step = isLong ? dayMs : dayMs / 24
  const answer = useCall(isLong ? telemetryCalls.days : telemetryCalls.hours, {
    body: { ParaIds: ids, Start: range.start, End: range.end, Columns: ['Min', 'Max', 'Avg', 'Last', 'Mean'] },
    enabled: ids.length > 0,
  })
  const { data } = answer
  const series = useMemo(() => new Map((data?.Series ?? []).map((s) => [s.ParaId, s])), [data])
  const names = namesOf(points)
  const rows = points.map((p, i) => rowOf(p, names[i]!, series.get(p.ParaId), step))
  const { drawn, lines } = useMemo(() => {
    const found = points.flatMap((point) => (series.has(point.ParaId) ? [{ point, s: series.get(point.ParaId)! }] : []))
    return { drawn: found.map((c) => c.point), lines: found.map(({ point, s }) => assemble({ ...s, Avg: s.Mean ?? s.Avg }, point, step)) }
  }, [points, series, step])
  const number = (p: ParaInfo, value: number | null | undefined, more = 0) => {
    const text = numberText(value, p.DecimalDigits + more, language())
    return text === none || !p.ParaUnitName ? text : `${text} ${p.ParaUnitName}`
  }
  const whole = (days: number) => (days < 3 ? numberText(days, 1, language()) : numberText(days, 0, language()))
  const outlookText = ({ outlook }: Row) =>
    outlook.is === 'falling'
      ? t('battery.days', { days: whole(outlook.days), from: whole(outlook.earliest), to: whole(outlook.latest) })
      : t(`battery.is.${outlook.is}`)
  const slopeText = ({ point, line }: Row) =>
    line ? `${number(point, line.slope, 2)} ± ${numberText(line.spread, point.DecimalDigits + 2, language())}` : none
  const columns: [title: string, text: (row: Row) => string][] = [
    [t('battery.level'), ({ point, level }) => number(point, level)],
    [t('battery.empty'), ({ point, empty }) => number(point, empty)],
    [t('battery.slope'), slopeText],
    [t('battery.since'), ({ charged }) => (charged === null ? none : timeText(charged).slice(0, isLong ? 10 : 16))],
    [t('battery.outlook'), outlookText],
  ]
  const isLow = ({ outlook }: Row) => outlook.is === 'empty' || (outlook.is === 'falling' && outlook.earliest < 14)
  return (
    <Frame
      code="m10325"
      explore={explore}
      answer={answer}
      none={t('battery.none')}
      actions={
        <>
          <Link to={`/dataAnalysis/realTimeData?points=${ids.slice(0, 20)}&range=${view.span ?? '30d'}`}>
            <Button>{t('menu.m10301')}</Button>
          </Link>
          <SaveTable name={t('menu.m10325')} rows={cellsOf(t('point'), columns, rows)} />
        </>
      }
    >
      <div className="explore-table">
        <Table<Row>
          size="small"
          rowKey={({ point }) => point.ParaId}
          dataSource={rows}
          pagination={false}
          scroll={{ x: 1000 }}
          columns={[
            { title: t('point'), width: 200, fixed: 'start', dataIndex: 'name' },
            ...columns.map(([title, text], i) => ({
              ...{ title, ...(i === 4 && { width: 330 }), align: i === 4 ? ('left' as const) : ('right' as const) },
              render: (_: unknown, row: Row) =>
                i === 4 && isLow(row) ? <State is="warning">{text(row)}</State> : <span className="figures">{text(row)}</span>,
            })),
          ]}
        />
      </div>
      <p className="faint">{t('battery.help')}</p>
      <div className="panel trend-panel" ref={box}>
        {width > 0 && drawn.length > 0 && (
          <Plot
            points={drawn}
            lines={lines}
            range={range}
            width={width - 24}
            height={Math.max(280, paneCount(drawn) * 140)}
            onRange={view.show}
            onBack={view.goBack}
          />
        )}
      </div>
    </Frame>
  )
}
export default BatteryScreen
