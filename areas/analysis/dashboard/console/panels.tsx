import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Columns, Rows } from '../../../../console/chart/Bars.tsx'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { Ago } from '../../../../console/words/Ago.tsx'
import { wallToEpoch } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { type Alarm, AlarmLevel } from '../../../alarms/alarms/console/AlarmLevel.tsx'
import { Facts } from '../../../alarms/alarms/console/Facts.tsx'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { dashboardCalls } from '../contract.ts'

const Panel = ({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) => (
  <section className="panel" aria-label={title}>
    <div className="panel-head">
      <h2>{title}</h2>
      {link}
    </div>
    {children}
  </section>
)

/** Alarms that began on each of the last fourteen days. */
export const Days = () => {
  const t = useWords()
  const { data, error, refetch } = useCall(dashboardCalls.alarmsByDay, { query: { Days: 14 }, of: [alarmInfo.name] })
  const short = new Intl.DateTimeFormat(language(), { day: 'numeric', month: 'numeric', timeZone: 'UTC' })
  const bars = (data ?? []).map(({ Date: day, Count: count }) => ({
    key: day,
    label: short.format(new Date(`${day}T00:00:00Z`)),
    count,
    to: `/alarmManagement/alarmInfo?view=history&StartTime=${day}~${day}`,
    title: t('dashboard.oneDay', { date: day, count }),
  }))
  return (
    <Panel title={t('dashboard.days')}>
      {error && !data ? <Failure fault={error} retry={() => refetch()} /> : <Columns bars={bars} label={t('dashboard.days')} />}
    </Panel>
  )
}

export const Cities = () => {
  const t = useWords()
  const { data, error, refetch } = useCall(dashboardCalls.projectsByCity, { of: [project.name, 'region'] })
  const path = '/projectManagement/projectConfig'
  const bars = (data?.Items ?? []).map(({ RegionId, City, Count: count }) => ({
    key: String(RegionId),
    label: City ?? t('dashboard.noCity'),
    count,
    to: RegionId ? `${path}?RegionId=${RegionId}` : path,
    title: `${City ?? t('dashboard.noCity')}: ${count}`,
  }))
  return (
    <Panel title={t('dashboard.cities')}>
      {error && !data && <Failure fault={error} retry={() => refetch()} />}
      {data && !bars.length && <EmptyList text={t('dashboard.noProjects')} />}
      <Rows bars={bars.slice(0, 8)} label={t('dashboard.cities')} />
    </Panel>
  )
}

const NewestList = () => {
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

export const Newest = () => {
  const t = useWords()
  return (
    <Panel title={t('home.newest')} link={<Link to="/alarmManagement/alarmInfo">{t('home.allAlarms')}</Link>}>
      <NewestList />
    </Panel>
  )
}
