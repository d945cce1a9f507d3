import './picture.css'
import { Link, useSearchParams } from 'react-router'
import { useRows } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { flowchart } from '../contract.ts'
import { PicturesOfPoint } from './PicturesOfPoint.tsx'
import { addressOf, chartRoutes } from './projectDetails.ts'

/** All published pictures, by project. */
const Published = () => {
  const t = useWords()
  const go = useGo()
  const draws = useMay('m10130.add')
  const query = { PageSize: 200, State: 1, OrderColumn: 'ProjectId', OrderType: 'asc' as const }
  const { data, error, refetch } = useRows(flowchart, query)
  if (error) return <Failure fault={error} retry={() => refetch()} />
  const projects = Map.groupBy(data?.Items.filter(({ Purpose }) => Purpose === 0) ?? [], ({ ProjectId }) => ProjectId)
  return (
    <Page title={t('menu.m10125')}>
      {data && !data.Items.length && (
        <EmptyList
          text={t(draws ? 'pictures.noneDraw' : 'pictures.none')}
          action={draws && { label: t('menu.m10130'), run: () => go('/projectManagement/configManagement') }}
        />
      )}
      {[...projects].map(([projectId, charts]) => {
        const of = { projectId, projectName: String(charts[0]!.ProjectName) }
        return (
          <section key={projectId}>
            <h2>{of.projectName}</h2>
            <div className="picture-cards">
              {chartRoutes(charts, of).map((route, i) => (
                <Link key={route.path} className="picture-card" to={addressOf(route)}>
                  <strong>{route.title}</strong>
                  <span className="soft">
                    {t(`flowchart.PlatformType.${charts[i]!.PlatformType}`)} · {t('pictures.version', { version: charts[i]!.Version })}
                  </span>
                </Link>
              ))}
            </div>
          </section>
        )
      })}
    </Page>
  )
}

/** Published pictures; with a point in the URL, those that use it. */
const PicturesScreen = () => {
  const point = Number(useSearchParams()[0].get('Point'))
  return point > 0 ? <PicturesOfPoint id={point} /> : <Published />
}
export default PicturesScreen
