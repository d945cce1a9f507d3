import { DownloadOutlined } from '@ant-design/icons'
import { Button, Segmented } from 'antd'
import { useMemo } from 'react'
import { assemble, type Line } from '../../../../console/chart/assemble.ts'
import { fileName } from '../../../../console/chart/exports.ts'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { useTrendView } from '../../../../console/chart/trendView.ts'
import { useSize } from '../../../../console/chart/useSize.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { saveCsv } from '../../../../console/session/request.ts'
import { userZone } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type ParaInfo, type SeriesAnswer, telemetryCalls } from '../../../../contract/telemetry.ts'
import { BucketTable, bucketRows, csvOf } from './BucketTable.tsx'
import { Frame } from './Frame.tsx'
import { ReadingTable } from './ReadingTable.tsx'
import { useChoice, useChosenPoints, useSteadyRange } from './useExplore.ts'

const most = 20
const units = ['hour', 'raw', 'minute', 'day'] as const
const order = ['raw', 'minute', 'hour', 'day'] as const
const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
const calls = { raw: telemetryCalls.data, minute: telemetryCalls.minutes, hour: telemetryCalls.hours, day: telemetryCalls.days }

const linesOf = (answer: SeriesAnswer, points: readonly ParaInfo[], step: number): Line[] => {
  const series = new Map(answer.Series.map((s) => [s.ParaId, s]))
  return points.flatMap((p) => {
    const s = series.get(p.ParaId)
    // What a counter counted, and otherwise the mean over time, is what the table says, too.
    const shown =
      s && !s.Raw
        ? { ...s, Avg: (p.CalDataType === 1 || p.CalDataType === 2 ? s.Sum : s.Mean?.some((v) => v !== null) ? s.Mean : s.Avg) ?? s.Avg }
        : s
    const isSum = s && !s.Raw && (p.CalDataType === 1 || p.CalDataType === 2)
    return shown ? [assemble(isSum ? { ...shown, Min: shown.Avg, Max: shown.Avg } : shown, p, step)] : []
  })
}

/** Any points over any time, as a table and a chart. */
const DataQueryScreen = () => {
  const t = useWords()
  const chosen = useChosenPoints(most)
  const view = useTrendView('24h')
  const range = useSteadyRange(view.range, view.live)
  const [unit, setUnit] = useChoice('unit', units)
  const [shape, setShape] = useChoice('by', ['time', 'device'] as const)
  const [box, width] = useSize()
  const ids = chosen.points.map((p) => p.ParaId)
  const answer = useCall(calls[unit], {
    body: {
      ...{ ParaIds: ids, Start: range.start, End: range.end },
      ...(unit === 'raw' ? { Buckets: 1000 } : { Columns: ['Min', 'Max', 'Avg', 'First', 'Last', 'Count', 'Mean', 'Coverage', 'Sum'] }),
    },
    enabled: ids.length > 0,
  })
  const { data } = answer
  const step = unit === 'raw' ? (data?.Step ?? 0) : lengths[unit]
  const lines = useMemo(() => (data ? linesOf(data, chosen.points, step) : []), [data, chosen.points, step])
  const drawn = chosen.points.filter((p) => lines.some((line) => line.ParaId === p.ParaId))
  const rows = useMemo(() => (data && unit !== 'raw' ? bucketRows(data, chosen.points, shape) : []), [data, chosen.points, shape, unit])
  const table = unit !== 'raw' && { rows, points: chosen.points, shape, unit, zone: data?.TimeZone ?? userZone() }
  return (
    <Frame
      code="m10303"
      most={most}
      chosen={chosen}
      view={view}
      answer={answer}
      tools={
        <>
          <Segmented
            value={unit}
            onChange={setUnit}
            options={order.map((value) => ({ value, label: t(`explore.unit.${value}`) }))}
            aria-label={t('explore.unit')}
          />
          {unit !== 'raw' && (
            <Segmented
              value={shape}
              onChange={setShape}
              options={(['time', 'device'] as const).map((value) => ({ value, label: t(`explore.by.${value}`) }))}
              aria-label={t('explore.by')}
            />
          )}
        </>
      }
      actions={
        table && (
          <Button
            icon={<DownloadOutlined />}
            disabled={!rows.length}
            onClick={() => saveCsv(csvOf(table, t), fileName(chosen.points, 'csv'))}
          >
            {t('explore.csv')}
          </Button>
        )
      }
    >
      <div className="panel trend-panel" ref={box}>
        {width > 0 && drawn.length > 0 && (
          <Plot
            points={drawn}
            lines={lines}
            range={range}
            width={width - 24}
            height={Math.max(260, drawn.length * 60)}
            onRange={view.show}
            onBack={view.goBack}
          />
        )}
      </div>
      {table ? <BucketTable {...table} /> : <ReadingTable points={chosen.points} range={range} />}
    </Frame>
  )
}
export default DataQueryScreen
