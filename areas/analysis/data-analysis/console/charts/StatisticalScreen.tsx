import { Button, Segmented, Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { EmptyList } from '../../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../../console/session/session.ts'
import { timeText } from '../../../../../console/words/formats.ts'
import { useWords } from '../../../../../console/words/words.ts'
import { type ChartKind, chartKinds, chartUnits, isDivided } from '../../../charts/contract.ts'
import { mostSpread } from '../../../telemetry/contract.ts'
import { Frame } from '../Frame.tsx'
import { useChoice, useExplore } from '../useExplore.ts'
import { ChartPanel } from './ChartPanel.tsx'
import { SaveChart } from './SaveChart.tsx'
import { isSpread, useCharts } from './useCharts.ts'

/** Points as bars, parts of a whole, spreads and maps of time, over any period. */
const StatisticalScreen = () => {
  const t = useWords()
  const explore = useExplore(mostSpread, { standard: '7d' })
  const { points, range, view } = explore
  const [kind, setKind] = useChoice('kind', chartKinds)
  const [unit, setUnit] = useChoice('unit', chartUnits)
  const [isSaving, save] = useState(false)
  const [mayCharts, mayAdd, mayGroup] = [useMay('m10319'), useMay('m10320.add'), useMay('m10308.add')]
  const { answer, charts, since } = useCharts(points, range, kind, unit)
  const hasCounters = isSpread(kind) && points.some((p) => p.CalDataType === 1)
  const hasMeans = (kind === 'pareto' || kind === 'pie') && points.some((p) => p.CalDataType === 0)
  return (
    <Frame
      code="m10321"
      explore={explore}
      answer={answer}
      tools={
        <>
          <Select<ChartKind>
            value={kind}
            onChange={setKind}
            options={chartKinds.map((value) => ({ value, label: t(`savedChart.Kind.${value}`) }))}
            aria-label={t('savedChart.Kind')}
            style={{ minWidth: 190 }}
          />
          {isDivided(kind) && (
            <Segmented
              value={unit}
              onChange={setUnit}
              options={chartUnits.map((value) => ({ value, label: t(`savedChart.Unit.${value}`) }))}
              aria-label={t('savedChart.Unit')}
            />
          )}
        </>
      }
      actions={
        <>
          {mayAdd && mayGroup && (
            <Button disabled={!points.length} onClick={() => save(true)}>
              {t('chart.save')}
            </Button>
          )}
          {mayCharts && (
            <Link to="/dataAnalysis/charts">
              <Button>{t('menu.m10319')}</Button>
            </Link>
          )}
        </>
      }
    >
      {hasCounters && <p className="soft">{t('chart.noSpread')}</p>}
      {hasMeans && <p className="soft">{t('chart.noWhole')}</p>}
      {since > 0 && <p className="soft">{t('chart.readingsSince', { time: timeText(since).slice(0, 16) })}</p>}
      {charts.length === 0 && !hasMeans && !hasCounters && <EmptyList text={t('explore.noData')} />}
      {charts.map(({ key, ...chart }) => (
        <ChartPanel key={`${kind} ${key}`} {...chart} />
      ))}
      <p className="faint">{t(`chart.help.${kind}`)}</p>
      {isSaving && <SaveChart points={points} kind={kind} unit={unit} span={view.span} close={() => save(false)} />}
    </Frame>
  )
}
export default StatisticalScreen
