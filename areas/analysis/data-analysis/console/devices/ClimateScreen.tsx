import { Button, Table } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { assemble } from '../../../../../console/chart/assemble.ts'
import { namesOf } from '../../../../../console/chart/names.ts'
import { Plot } from '../../../../../console/chart/Plot.tsx'
import { paneCount } from '../../../../../console/chart/panes.ts'
import { useSize } from '../../../../../console/chart/useSize.ts'
import { useCall } from '../../../../../console/kernel/api.ts'
import { Failure } from '../../../../../console/kernel/Empty.tsx'
import { none, numberText } from '../../../../../console/words/formats.ts'
import { language, useWords, type Words } from '../../../../../console/words/words.ts'
import { type ParaInfo, type Series, telemetryCalls } from '../../../../../contract/telemetry.ts'
import { TrendLegend } from '../../../telemetry/console/TrendLegend.tsx'
import { analysisCalls, type StatisticsRow } from '../../../telemetry/contract.ts'
import { Frame } from '../Frame.tsx'
import { durationText, Figure, percentText, useEnoughCoverage } from '../figures.tsx'
import { cellsOf, SaveTable } from '../SaveTable.tsx'
import { useExplore } from '../useExplore.ts'
import { bucketOf, dewPoints, pairsOf } from './climate.ts'

const most = 20
const codes = 'temperature.room,temperature.coldroom,temperature.ambient,temperature.cabinet,humidity'
/** Ids of dew points, which are none of points. */
const beyondIds = 2e13

/** The dew point of each device that has a temperature and a humidity, as curves beside those of the points. */
const dewCurves = (points: readonly ParaInfo[], series: ReadonlyMap<number, Series>, t: Words) =>
  pairsOf(points).map(({ temperature, humidity }) => {
    const { Time, Value } = dewPoints(series.get(temperature.ParaId), series.get(humidity.ParaId))
    const point = { ...temperature, ParaId: temperature.ParaId + beyondIds, ParaName: t('climate.dew'), AlarmLow: null, AlarmHigh: null }
    return {
      point,
      series: {
        ParaId: point.ParaId,
        Raw: false,
        Time,
        Min: Value,
        Max: Value,
        Avg: Value,
        First: Value,
        Last: Value,
        Count: Time.map(() => 1),
      },
    }
  })

type Row = { point: ParaInfo; name: string; row: StatisticsRow | undefined }
const outMs = (row: StatisticsRow | undefined) => (row && row.LowMs !== null && row.HighMs !== null ? row.LowMs + row.HighMs : null)
const hasLimits = ({ AlarmLow, AlarmHigh }: ParaInfo) => AlarmLow !== null || AlarmHigh !== null
/** Of the time for which there is a value, the share within the limits. */
const keptShare = ({ point, row }: Row) => {
  const [out, held] = [outMs(row), (row?.OnMs ?? 0) + (row?.OffMs ?? 0)]
  // What was out for a moment is never whole.
  return out === null || !held || !hasLimits(point) ? null : Math.floor((1 - out / held) * 10_000) / 10_000
}
const limitsText = ({ AlarmLow, AlarmHigh, DecimalDigits }: ParaInfo) =>
  AlarmLow === null && AlarmHigh === null
    ? none
    : [AlarmLow, AlarmHigh].map((limit) => (limit === null ? '' : numberText(limit, 0, language(), DecimalDigits))).join(' … ')

/** Whether temperatures and humidities kept their range, how often they left it, and the dew point of their air. */
const ClimateScreen = () => {
  const t = useWords()
  const enough = useEnoughCoverage()
  const explore = useExplore(most, { standard: '7d', codes })
  const { points, ids, range, view } = explore
  const [box, width] = useSize()
  const asked = { Start: range.start, End: range.end }
  const answer = useCall(analysisCalls.statistics, { query: { ParaIds: ids.join(), ...asked }, enabled: ids.length > 0 })
  const curves = useCall(telemetryCalls.data, {
    body: { ParaIds: ids, ...asked, Width: bucketOf(range), Columns: ['Min', 'Max', 'Avg', 'Mean'] },
    enabled: ids.length > 0,
  })
  const { drawn, lines } = useMemo(() => {
    const series = new Map((curves.data?.Series ?? []).map((s) => [s.ParaId, s]))
    const stored = points.flatMap((point) => {
      const s = series.get(point.ParaId)
      return s ? [{ point, series: { ...s, Avg: s.Mean ?? s.Avg } }] : []
    })
    const all = [...stored, ...dewCurves(points, series, t)]
    return { drawn: all.map((c) => c.point), lines: all.map((c) => assemble(c.series, c.point, curves.data?.Step ?? 0)) }
  }, [points, curves.data, t])
  const statistics = new Map((answer.data?.Points ?? []).map((of) => [of.ParaId, of.Rows[0]]))
  const names = namesOf(points)
  const rows = points.map((point, i): Row => ({ point, name: names[i]!, row: statistics.get(point.ParaId) }))
  const number = (p: ParaInfo, value: number | null | undefined, more = 0) => numberText(value, p.DecimalDigits + more, language())
  const columns: [title: string, text: (row: Row) => string][] = [
    [t('climate.limits'), ({ point }) => limitsText(point)],
    [t('trend.mean'), ({ point, row }) => number(point, row?.Mean ?? row?.Avg, 1)],
    [t('compare.min'), ({ point, row }) => number(point, row?.Min)],
    [t('compare.max'), ({ point, row }) => number(point, row?.Max)],
    [t('climate.kept'), (row) => percentText(keptShare(row), 2)],
    [t('climate.excursions'), ({ point, row }) => (hasLimits(point) ? (row?.Excursions?.toString() ?? none) : none)],
    [t('climate.below'), ({ point, row }) => (point.AlarmLow === null ? none : durationText(row?.LowMs))],
    [t('climate.above'), ({ point, row }) => (point.AlarmHigh === null ? none : durationText(row?.HighMs))],
    [t('explore.coverageColumn'), ({ row }) => percentText(row?.Coverage)],
  ]
  return (
    <Frame
      code="m10323"
      explore={explore}
      answer={answer}
      none={t('climate.none')}
      actions={
        <>
          <Link to={`/dataAnalysis/realTimeData?points=${ids}&range=${view.span ?? '7d'}`}>
            <Button>{t('menu.m10301')}</Button>
          </Link>
          <SaveTable name={t('menu.m10323')} rows={cellsOf(t('point'), columns, rows)} />
        </>
      }
    >
      <div className="explore-table">
        <Table<Row>
          size="small"
          rowKey={({ point }) => point.ParaId}
          dataSource={rows}
          pagination={false}
          scroll={{ x: 1080 }}
          columns={[
            {
              title: t('point'),
              width: 210,
              fixed: 'start',
              render: (_, { point, name }) => (point.ParaUnitName ? `${name} (${point.ParaUnitName})` : name),
            },
            ...columns.map(([title, text], i) => ({
              ...{ title, align: 'right' as const },
              render: (_: unknown, row: Row) =>
                i === 1 ? <Figure text={text(row)} coverage={row.row?.Coverage} /> : <span className="figures">{text(row)}</span>,
            })),
          ]}
        />
      </div>
      <p className="faint">{t('climate.help', { percent: enough })}</p>
      <div className="panel trend-panel">
        <TrendLegend points={drawn} lines={lines} end={range.end} cursor={undefined} pinned={undefined} pin={() => undefined} />
        <div ref={box}>
          {curves.error && !curves.data && <Failure fault={curves.error} retry={() => curves.refetch()} />}
          {width > 0 && drawn.length > 0 && (
            <Plot
              points={drawn}
              lines={lines}
              range={range}
              width={width}
              height={Math.max(320, paneCount(drawn) * 160)}
              onRange={view.show}
              onBack={view.goBack}
            />
          )}
        </div>
        <p className="faint trend-help">{t('climate.dewHelp')}</p>
      </div>
    </Frame>
  )
}
export default ClimateScreen
