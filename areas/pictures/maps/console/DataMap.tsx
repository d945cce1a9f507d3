import { FullscreenOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useWakeLock } from '../../../../console/live/useWakeLock.ts'
import { useMay } from '../../../../console/session/session.ts'
import { LiveMark } from '../../../../console/shell/LiveMark.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { levelCondition, State } from '../../../../console/theme/State.tsx'
import { Ago } from '../../../../console/words/moments.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { type MapProject, mapCalls } from '../contract.ts'
import { urgency } from './clusters.ts'
import ProjectMap from './ProjectMap.tsx'
import { lookOf } from './projectMarks.tsx'
import { Rows } from './Rows.tsx'

const everyMs = 30_000
const mostUrgent = 12
/** Three addresses for three monitors; the address without a name shows all parts. */
const views = ['top', 'middle', 'bottom'] as const
type View = (typeof views)[number]
type Props = { items: readonly MapProject[] }

/** Undefined if the reader may not see the counted rows. */
const sumOf = (items: readonly MapProject[], name: 'Gateways' | 'OnlineGateways' | 'Devices' | 'OnlineDevices' | 'ActiveAlarms') =>
  items.some((of) => of[name] === null) ? undefined : items.reduce((sum, of) => sum + of[name]!, 0)

const Top = ({ items }: Props) => {
  const t = useWords()
  const number = (n: number) => n.toLocaleString(language())
  const part = (online: number | undefined, all: number | undefined) =>
    online === undefined || all === undefined ? undefined : `${number(online)} / ${number(all)}`
  const alarms = sumOf(items, 'ActiveAlarms')
  const figures = [
    { name: t('dataMap.projects'), value: number(items.length) },
    { name: t('dataMap.gateways'), value: part(sumOf(items, 'OnlineGateways'), sumOf(items, 'Gateways')) },
    { name: t('dataMap.devices'), value: part(sumOf(items, 'OnlineDevices'), sumOf(items, 'Devices')) },
    { name: t('dataMap.alarms'), value: alarms === undefined ? undefined : number(alarms) },
  ]
  return (
    <dl className="data-map-figures">
      {figures.map(
        ({ name, value }) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="figures">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Active alarms, newest first. */
const Newest = () => {
  const t = useWords()
  const { data, error, refetch } = useRows(alarmInfo, { PageIndex: 1, PageSize: mostUrgent, IsActive: 1 })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  return (
    <section className="panel" aria-label={t('dataMap.alarms')}>
      <h2>{t('dataMap.alarms')}</h2>
      {data && !data.Items.length && <EmptyList text={t('alarm.noActive')} />}
      <ul className="lines">
        {data?.Items.map((row) => (
          <li key={row.Id}>
            <State is={levelCondition(row.AlarmLevel)}>{t(`alarmInfo.AlarmLevel.${row.AlarmLevel}`)}</State>
            <span className="lines-main">
              <Link to={`/alarmManagement/alarmInfo?AlmNo=${encodeURIComponent(row.AlmNo)}`}>
                <strong>{row.RuleName}</strong>
              </Link>{' '}
              <span className="soft">{String(row.DeviceName ?? row.GatewayName ?? row.ProjectName ?? '')}</span>
            </span>
            <span className="lines-age soft">
              <Ago time={row.StartTime} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Bottom = ({ items }: Props) => {
  const t = useWords()
  const seesAlarms = useMay('m10201')
  const [chosen, choose] = useState<number>()
  const urgent = useMemo(
    () =>
      items
        .filter((of) => !['normal', 'none', 'unknown'].includes(lookOf(of)))
        .toSorted((a, b) => urgency(lookOf(a)) - urgency(lookOf(b)))
        .slice(0, mostUrgent),
    [items],
  )
  return (
    <div className="data-map-lists">
      <section className="panel" aria-label={t('dataMap.urgent')}>
        <h2>{t('dataMap.urgent')}</h2>
        {urgent.length ? (
          <Rows
            items={urgent}
            {...{ chosen, choose }}
            name={(of) => of.ProjectName}
            is={lookOf}
            text={(of) => [of.RegionName, t(`map.condition.${lookOf(of)}`)]}
          >
            {(of) => <p>{of.Address}</p>}
          </Rows>
        ) : (
          <EmptyList text={t('dataMap.calm')} />
        )}
      </section>
      {seesAlarms && <Newest />}
    </div>
  )
}

const parts = { top: Top, middle: ProjectMap, bottom: Bottom }

/** The company's projects on large monitors: figures, map and urgent items, together or one per monitor. */
const DataMap = () => {
  const t = useWords()
  const { message } = App.useApp()
  const box = useRef<HTMLDivElement>(null)
  const asked = useParams().view?.toLowerCase()
  const shown: readonly View[] = views.some((view) => view === asked) ? views.filter((view) => view === asked) : views
  const { data, error, refetch } = useCall(mapCalls.projects, { query: {}, of: ['project', 'alarmInfo'], refetchInterval: everyMs })
  useWakeLock()
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  return (
    <Page
      title={t('dataMap')}
      actions={
        <>
          <LiveMark />
          <Button
            icon={<FullscreenOutlined />}
            onClick={() => box.current?.requestFullscreen().catch(() => message.error(t('dataMap.noFullWindow')))}
          >
            {t('dataMap.fullWindow')}
          </Button>
        </>
      }
    >
      <div ref={box} className={`data-map data-map-${shown.length === 1 ? shown[0] : 'all'}`}>
        {data &&
          shown.map((view) => {
            const Part = parts[view]
            return (
              <div key={view} className={`data-map-part data-map-${view}-part`}>
                <Part items={data.Items} />
              </div>
            )
          })}
      </div>
    </Page>
  )
}
export default DataMap
