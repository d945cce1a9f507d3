import type { ReactNode } from 'react'
import { Link, Navigate } from 'react-router'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { useMay, useUser } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { sessionCalls } from '../../../../contract/session.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { Dashboard } from '../../dashboard/console/Dashboard.tsx'

/** What to do first, as long as there is nothing to look at. */
const Start = () => {
  const t = useWords()
  const gateways = useRows(gateway, { PageIndex: 1, PageSize: 1 }).data?.TotalCount
  if (gateways !== 0) return null
  return (
    <section className="panel">
      <h2>{t('home.start')}</h2>
      <ol className="start-steps">
        <li>
          <Link to="/projectManagement/projectConfig">{t('home.startProject')}</Link>
        </li>
        <li>
          <Link to="/projectManagement/gatewayManagement">{t('home.startGateway')}</Link>
        </li>
        <li>
          <Link to="/projectManagement/deviceManagement">{t('home.startDevice')}</Link>
        </li>
      </ol>
    </section>
  )
}

const Shown = ({ code, children }: { code: string; children: ReactNode }) => (useMay(code) ? children : null)

/** What needs somebody, and the ways to it. */
const Home = () => {
  const t = useWords()
  const hasPicture = useUser()?.IndexFlowchartId != null
  const { data: instead, isPending } = useCall(sessionCalls.showIndexFlowchart, { enabled: hasPicture })
  if (hasPicture && isPending) return null
  if (hasPicture && instead) return <Navigate replace to={`/projectDetailsManagement/flowChart/${instead.Id}`} />
  return (
    <Page title={t('menu.m100')}>
      <Shown code="m10102.add">
        <Start />
      </Shown>
      <Dashboard>
        <nav className="home-links" aria-label={t('home.links')}>
          <Shown code="m10108">
            <Link to="/projectManagement/realTimeData">{t('menu.m10108')}</Link>
          </Shown>
          <Shown code="m10301">
            <Link to="/dataAnalysis/realTimeData">{t('menu.m10301')}</Link>
          </Shown>
          <Shown code="m10104">
            <Link to="/projectManagement/pointManagement">{t('menu.m10104')}</Link>
          </Shown>
        </nav>
      </Dashboard>
    </Page>
  )
}
export default Home
