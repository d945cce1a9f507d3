import { Link } from 'react-router'
import { spans } from '../../../../../console/chart/ranges.ts'
import { Failure } from '../../../../../console/kernel/Empty.tsx'
import { useNow } from '../../../../../console/live/clock.ts'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../../console/words/words.ts'
import type { Row } from '../../../../../contract/resource.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'
import { isDivided, type savedChart } from '../../../charts/contract.ts'
import { useSteadyRange } from '../useExplore.ts'
import { ChartPanel } from './ChartPanel.tsx'
import { useCharts } from './useCharts.ts'

type CardProps = { chart: Row<typeof savedChart>; points: readonly ParaInfo[]; hidden: number; height?: number; bare?: boolean }
/** A chart as it is now; its name leads to where it can be changed. */
export const SavedChartCard = ({ chart, points, hidden, height = 220, bare = false }: CardProps) => {
  const t = useWords()
  const now = useNow()
  const range = useSteadyRange({ start: now - spans[chart.Span]!, end: now }, true)
  const { answer, charts } = useCharts(points, range, chart.Kind, chart.Unit)
  const address = `/dataAnalysis/statisticalCharts?points=${points.map((p) => p.ParaId)}&kind=${chart.Kind}&unit=${chart.Unit}&range=${chart.Span}`
  const what = [`savedChart.Kind.${chart.Kind}`, ...(isDivided(chart.Kind) ? [`savedChart.Unit.${chart.Unit}`] : []), `span.${chart.Span}`]
  const [first] = charts
  return (
    <section className={bare ? 'chart-panel' : 'panel chart-panel'} aria-label={chart.ChartName}>
      <h2 className="chart-name">
        <Link to={address}>{chart.ChartName}</Link>
      </h2>
      <p className="soft">{what.map((word) => t(word)).join(' · ')}</p>
      {answer.error && !answer.data ? (
        <Failure fault={answer.error} retry={() => answer.refetch()} />
      ) : !points.length ? (
        <p className="soft">{t('explore.unseen')}</p>
      ) : first ? (
        <ChartPanel {...first} height={height} plain />
      ) : answer.data ? (
        <p className="soft">{t('explore.noData')}</p>
      ) : (
        <Waiting />
      )}
      {charts.length > 1 && <p className="faint">{t('chart.others', { count: charts.length - 1 })}</p>}
      {hidden > 0 && <p className="faint">{t('group.hidden', { count: hidden })}</p>}
    </section>
  )
}
