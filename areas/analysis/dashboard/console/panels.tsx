import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useRows } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { CountRows, DayColumns, useCounts, useDays } from '../../../../console/kernel/figures.tsx'
import { Ago } from '../../../../console/words/moments.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type Alarm, AlarmLevel } from '../../../alarms/alarms/console/AlarmLevel.tsx'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { figures } from '../contract.ts'

const Panel = ({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) => (
  <section className="panel" aria-label={title}>
    <div className="panel-head">
      <h2>{title}</h2>
      {link}
    </div>
    {children}
  </section>
)

/** Alarms raised on each of the last fourteen days. Hidden unless at least two days had alarms. */
export const Days = () => {
  const t = useWords()
  const { data = [] } = useDays(figures.alarmDays)
  if (data.filter((day) => day.Count > 0).length < 2) return null
  const [title, list] = [t('dashboard.days'), '/alarmManagement/alarmInfo?view=history']
  return (
    <Panel title={title}>
      <DayColumns of={figures.alarmDays} list={list} label={title} title={(day) => t('dashboard.oneDay', day)} />
    </Panel>
  )
}

export const Cities = () => {
  const t = useWords()
  const [title, list] = [t('dashboard.cities'), '/projectManagement/projectConfig']
  const { data, failure, items } = useCounts(figures.cities, list)
  // Without cities, the projects tile has the same content.
  if (data ? items.length > 0 && items.every((item) => item.value === null) : !failure) return null
  return (
    <Panel title={title}>
      <CountRows of={figures.cities} list={list} label={title} none={t('dashboard.noCity')} empty={t('dashboard.noProjects')} />
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
          <span className="lines-value figures">{row.AlarmDesc}</span>
          <span className="lines-age soft">
            <Ago time={row.StartTime} />
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
