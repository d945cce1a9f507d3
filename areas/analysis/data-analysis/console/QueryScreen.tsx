import { Button, Segmented } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { useSize } from '../../../../console/chart/useSize.ts'
import { useMay } from '../../../../console/session/session.ts'
import { userZone } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { ExportButton } from '../../history/console/index.ts'
import { asComputed } from '../../history/figure.ts'
import { ReportButton } from '../../reports/console/index.ts'
import { BucketTable, bucketRows } from './BucketTable.tsx'
import { curvesOf } from './curves.ts'
import { Frame } from './Frame.tsx'
import { ReadingTable } from './ReadingTable.tsx'
import { computedUnits, unitOrder, units, useBuckets } from './useBuckets.ts'
import { useChoice, useExplore } from './useExplore.ts'

const most = 20
/** Any points over any time, as a table and a chart. */
export const QueryScreen = ({ code, computed = false }: { code: string; computed?: boolean }) => {
  const mayFormulas = useMay('m10313')
  const t = useWords()
  const explore = useExplore(most, computed ? { narrowed: { Computed: 1 } } : {})
  const { points, ids, range, view } = explore
  const shown = useMemo(() => (computed ? points.map(asComputed) : points), [computed, points])
  const [unit, setUnit] = useChoice('unit', computed ? computedUnits : units)
  const [shape, setShape] = useChoice('by', ['time', 'device'] as const)
  const [box, width] = useSize()
  const { answer, data, step, labels } = useBuckets(ids, range, unit, computed)
  const { drawn, lines } = useMemo(() => curvesOf(data, shown, step), [data, shown, step])
  const rows = useMemo(() => (data && unit !== 'raw' ? bucketRows(data, shown, shape) : []), [data, shown, shape, unit])
  const table = unit !== 'raw' && { rows, points: shown, shape, unit, zone: data?.TimeZone ?? userZone(), ...(labels ? { labels } : {}) }
  return (
    <Frame
      code={code}
      explore={explore}
      answer={answer}
      tools={
        <>
          <Segmented
            value={unit}
            onChange={setUnit}
            options={unitOrder.filter((one) => !computed || one !== 'raw').map((value) => ({ value, label: t(`explore.unit.${value}`) }))}
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
        <>
          {computed && mayFormulas && (
            <Link to="/dataAnalysis/formulas">
              <Button>{t('menu.m10313')}</Button>
            </Link>
          )}
          <ReportButton points={points} range={range} />
          <ExportButton points={points} range={range} unit={unit} shape={shape} computed={computed} />
        </>
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
      {table ? <BucketTable {...table} /> : <ReadingTable points={points} range={range} />}
    </Frame>
  )
}
