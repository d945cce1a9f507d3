import { useEffect } from 'react'
import { Link } from 'react-router'
import { useRow } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { Trend } from '../../../analysis/telemetry/console/Trend.tsx'
import { project } from '../../../configuration/projects/contract.ts'
import { DetailsSelect, useDetails } from './ProjectDetails.tsx'

/** Trends of a project's points, in the same navigation as its pictures. */
const RealTimeCharts = () => {
  const t = useWords()
  const of = useDetails()
  const [mayChart, mayProject] = [useMay('m10301'), useMay(project.permission)]
  // The name in the URL may be wrong; a visible project has its own name.
  const { data, error, refetch } = useRow(project, mayProject && of.projectId ? of.projectId : undefined)
  const name = data?.ProjectName ?? of.projectName
  useEffect(() => {
    document.title = `${name} · ${t('pictures.charts')}`
  }, [name, t])
  if (!mayChart) return <EmptyList text={t('error.forbidden')} />
  if (!of.projectId) return <EmptyList text={t('pictures.noProject')} />
  if (error) return <Failure fault={error} retry={() => refetch()} />
  return (
    <Trend
      projectId={of.projectId}
      around={(actions, chart) => (
        <Page
          title={`${name} · ${t('pictures.charts')}`}
          actions={
            <>
              <DetailsSelect of={{ ...of, projectName: name }} isHere={({ path }) => path.endsWith('/realTimeCharts')} />
              {actions}
              <Link to="/projectManagement/pictures">{t('pictures.all')}</Link>
            </>
          }
        >
          {chart}
        </Page>
      )}
    />
  )
}
export default RealTimeCharts
