import type { ReactNode } from 'react'
import { Link, Navigate } from 'react-router'
import { alarmInfo } from '../../../contract/areas/alarms.ts'
import { device } from '../../../contract/areas/devices.ts'
import { gateway } from '../../../contract/areas/gateways.ts'
import { project } from '../../../contract/areas/projects.ts'
import { sessionCalls } from '../../../contract/areas/session.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { Page } from '../../app/Page.tsx'
import { useCall, useRows } from '../../resource/api.ts'
import { EmptyList, Failure } from '../../resource/Empty.tsx'
import { useMay } from '../../session/session.ts'
import { type Condition, State } from '../../theme/State.tsx'
import { Ago } from '../../words/Ago.tsx'
import { none, wallToEpoch } from '../../words/formats.ts'
import { lower, useWords } from '../../words/words.ts'
import { type Alarm, AlarmLevel } from '../alarms/AlarmLevel.tsx'
import { Facts } from '../alarms/Facts.tsx'

const useCount = (r: Resource, where: Record<string, number> = {}) => useRows(r, { PageIndex: 1, PageSize: 1, ...where }).data?.TotalCount

type Note = { is: Condition; count: number | undefined; word: string }
const Tile = ({ to, label, count, notes = [] }: { to: string; label: string; count: number | undefined; notes?: Note[] }) => (
  <Link className="tile" to={to}>
    <span className="tile-label">{label}</span>
    <span className="tile-figure">{count ?? none}</span>
    <span className="tile-note">
      {notes
        .filter((note) => note.count)
        .map(({ is, count, word }) => (
          <State key={word} is={is}>
            {count} {word}
          </State>
        ))}
    </span>
  </Link>
)

const Gateways = () => {
  const t = useWords()
  const note = (status: number, is: Condition, count: number | undefined): Note => ({
    is,
    count,
    word: lower(t(`gateway.OnlineStatus.${status}`)),
  })
  const [all, on, off, never] = [
    useCount(gateway),
    useCount(gateway, { OnlineStatus: 1 }),
    useCount(gateway, { OnlineStatus: 0 }),
    useCount(gateway, { OnlineStatus: 2 }),
  ]
  const notes = [note(1, 'normal', on), note(0, 'offline', off), note(2, 'offline', never)]
  return <Tile to="/projectManagement/gatewayManagement" label={t('menu.m10102')} count={all} notes={notes} />
}

const Devices = () => {
  const t = useWords()
  const counts = [
    useCount(device, { Status: 0 }),
    useCount(device, { Status: 1 }),
    useCount(device, { Status: 2 }),
    useCount(device, { Status: 3 }),
  ]
  const conditions: Condition[] = ['offline', 'normal', 'alarm', 'offline']
  const notes = [1, 2, 0, 3].map((status) => ({
    is: conditions[status]!,
    count: counts[status],
    word: lower(t(`device.Status.${status}`)),
  }))
  return <Tile to="/projectManagement/deviceManagement" label={t('menu.m10103')} count={useCount(device)} notes={notes} />
}

const Projects = () => {
  const t = useWords()
  return <Tile to="/projectManagement/projectConfig" label={t('menu.m10101')} count={useCount(project)} />
}

const Alarms = () => {
  const t = useWords()
  const unseen = useCount(alarmInfo, { IsActive: 1, AckStatus: 0 })
  const notes = [{ is: 'warning' as const, count: unseen, word: lower(t('alarmInfo.AckStatus.0')) }]
  return <Tile to="/alarmManagement/alarmInfo" label={t('home.activeAlarms')} count={useCount(alarmInfo, { IsActive: 1 })} notes={notes} />
}

const Newest = () => {
  const t = useWords()
  const { data, error, refetch } = useRows(alarmInfo, { PageIndex: 1, PageSize: 10, IsActive: 1 })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  if (!data) return null
  if (!data.Items.length) return <EmptyList text={t('alarm.noActive')} />
  return (
    <ul className="lines">
      {(data.Items as Alarm[]).map((row) => (
        <li key={row.Id}>
          <AlarmLevel of={row} />
          <span className="lines-main">
            <strong>{row.RuleName}</strong>
            <span className="soft">
              {' '}
              {row.DeviceId ? (
                <Link to={`/projectManagement/devicePointList?Id=${row.DeviceId}`}>{String(row.DeviceName ?? '')}</Link>
              ) : null}
            </span>
          </span>
          <span className="lines-value">
            <Facts alarm={row} />
          </span>
          <span className="lines-age soft">
            <Ago time={wallToEpoch(row.StartTime)} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What to do first, as long as there is nothing to look at. */
const Start = () => {
  const t = useWords()
  const gateways = useCount(gateway)
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
  const instead = useCall(sessionCalls.showIndexFlowchart).data
  if (instead) return <Navigate replace to={`/projectDetailsManagement/flowChart/${instead.Id}`} />
  return (
    <Page title={t('menu.m100')}>
      <div className="tiles">
        <Shown code="m10201">
          <Alarms />
        </Shown>
        <Shown code="m10102">
          <Gateways />
        </Shown>
        <Shown code="m10103">
          <Devices />
        </Shown>
        <Shown code="m10101">
          <Projects />
        </Shown>
      </div>
      <Shown code="m10102.add">
        <Start />
      </Shown>
      <Shown code="m10201">
        <section className="panel" aria-label={t('home.newest')}>
          <div className="panel-head">
            <h2>{t('home.newest')}</h2>
            <Link to="/alarmManagement/alarmInfo">{t('home.allAlarms')}</Link>
          </div>
          <Newest />
        </section>
      </Shown>
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
    </Page>
  )
}
export default Home
