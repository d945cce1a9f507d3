import { Button } from 'antd'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { spans } from '../../../../../console/chart/ranges.ts'
import { useCall, useRows } from '../../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../../console/kernel/Empty.tsx'
import { useNow } from '../../../../../console/live/clock.ts'
import { useMay } from '../../../../../console/session/session.ts'
import { Page } from '../../../../../console/shell/Page.tsx'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../../console/words/words.ts'
import type { Row } from '../../../../../contract/resource.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'
import { isDivided, savedChart } from '../../../charts/contract.ts'
import { reportGroupCalls } from '../../../report-groups/contract.ts'
import { mostSpread } from '../../../telemetry/contract.ts'
import { useSteadyRange } from '../useExplore.ts'
import { ChartPanel } from './ChartPanel.tsx'
import { useCharts } from './useCharts.ts'

type CardProps = { chart: Row<typeof savedChart>; points: readonly ParaInfo[]; hidden: number }
/** A chart as it is now; its name leads to where it can be changed. */
const Card = ({ chart, points, hidden }: CardProps) => {
  const t = useWords()
  const now = useNow()
  const range = useSteadyRange({ start: now - spans[chart.Span]!, end: now }, true)
  const { answer, charts } = useCharts(points, range, chart.Kind, chart.Unit)
  const address = `/dataAnalysis/statisticalCharts?points=${points.map((p) => p.ParaId)}&kind=${chart.Kind}&unit=${chart.Unit}&range=${chart.Span}`
  const what = [`savedChart.Kind.${chart.Kind}`, ...(isDivided(chart.Kind) ? [`savedChart.Unit.${chart.Unit}`] : []), `span.${chart.Span}`]
  const [first] = charts
  return (
    <section className="panel chart-panel" aria-label={chart.ChartName}>
      <h2 className="chart-name">
        <Link to={address}>{chart.ChartName}</Link>
      </h2>
      <p className="soft">{what.map((word) => t(word)).join(' · ')}</p>
      {answer.error && !answer.data ? (
        <Failure fault={answer.error} retry={() => answer.refetch()} />
      ) : !points.length ? (
        <p className="soft">{t('explore.unseen')}</p>
      ) : first ? (
        <ChartPanel {...first} height={220} plain />
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

const mostCards = 24
/** The charts that people have saved, side by side. */
const ChartsScreen = () => {
  const t = useWords()
  const navigate = useNavigate()
  const [mayChange, mayExplore] = [useMay('m10320'), useMay('m10321')]
  const saved = useRows(savedChart, { PageIndex: 1, PageSize: mostCards })
  const groups = useCall(reportGroupCalls.trends, { query: {}, of: ['reportGroup', 'point', 'device'] })
  const byId = useMemo(() => new Map((groups.data ?? []).map((group) => [group.Id, group])), [groups.data])
  const error = saved.error ?? groups.error
  const rows = saved.data?.Items ?? []
  return (
    <Page
      title={t('menu.m10319')}
      actions={
        <>
          {mayExplore && (
            <Link to="/dataAnalysis/statisticalCharts">
              <Button>{t('menu.m10321')}</Button>
            </Link>
          )}
          {mayChange && (
            <Link to="/dataAnalysis/chartsSetting">
              <Button>{t('menu.m10320')}</Button>
            </Link>
          )}
        </>
      }
    >
      {error && !(saved.data && groups.data) ? (
        <Failure fault={error} retry={() => Promise.all([saved.refetch(), groups.refetch()])} />
      ) : !saved.data || !groups.data ? (
        <Waiting />
      ) : !rows.length ? (
        <EmptyList
          text={t('chart.none')}
          action={mayExplore && { label: t('menu.m10321'), run: () => navigate('/dataAnalysis/statisticalCharts') }}
        />
      ) : (
        <div className="chart-grid">
          {rows.map((chart) => {
            const group = byId.get(chart.GroupId)
            return (
              <Card key={chart.Id} chart={chart} points={(group?.Points ?? []).slice(0, mostSpread)} hidden={group?.HiddenPoints ?? 0} />
            )
          })}
        </div>
      )}
      {(saved.data?.TotalCount ?? 0) > mostCards && <p className="soft">{t('chart.first', { count: mostCards })}</p>}
    </Page>
  )
}
export default ChartsScreen
