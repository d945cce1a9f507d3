import { Button } from 'antd'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { useCall, useRows } from '../../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../../console/session/session.ts'
import { Page } from '../../../../../console/shell/Page.tsx'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../../console/words/words.ts'
import { savedChart } from '../../../charts/contract.ts'
import { reportGroupCalls } from '../../../report-groups/contract.ts'
import { mostSpread } from '../../../telemetry/contract.ts'
import { SavedChartCard } from './SavedChartCard.tsx'

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
              <SavedChartCard
                key={chart.Id}
                chart={chart}
                points={(group?.Points ?? []).slice(0, mostSpread)}
                hidden={group?.HiddenPoints ?? 0}
              />
            )
          })}
        </div>
      )}
      {(saved.data?.TotalCount ?? 0) > mostCards && <p className="soft">{t('chart.first', { count: mostCards })}</p>}
    </Page>
  )
}
export default ChartsScreen
