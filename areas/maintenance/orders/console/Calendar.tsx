import './calendar.css'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Segmented } from 'antd'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { type Answer, LogicOP } from '../../../../contract/call.ts'
import { mtnCheckOrder, mtnCheckPlan, patrolCalls } from '../../patrols/contract.ts'
import { mtnUpKeepOrder, mtnUpKeepPlan, upkeepCalls } from '../../upkeep/contract.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import { daysAround, type Entry, keyed, loadOf, moved, type View } from './calendar.ts'

type Planned = Answer<typeof upkeepCalls.calendar>
const paths = {
  repair: '/maintenanceCenter/repair/repairOrder',
  upkeep: '/maintenanceCenter/maintain/order',
  patrol: '/maintenanceCenter/patrol/order',
}

/** Orders, and future dates of plans without an order. */
const entriesOf = (kind: 'upkeep' | 'patrol', data: Planned | undefined, today: string): Entry[] => {
  if (!data) return []
  const made = new Set(data.Orders.map((order) => `${order.PlanId} ${order.PlanTime.slice(0, 10)}`))
  const dates = data.Dates.filter((date) => date.Date >= today && (date.Forecast || !made.has(`${date.PlanId} ${date.Date}`)))
  return [
    ...data.Orders.map(
      (order): Entry => ({
        ...{ key: `${kind} ${order.Id}`, kind, day: order.PlanTime.slice(0, 10), title: order.Title, status: order.Status, count: 1 },
        ...{ isOpen: order.Status < 2, person: order.AssignUserName, to: `${paths[kind]}?Id=${order.Id}` },
      }),
    ),
    ...dates.map(
      (date): Entry => ({
        ...{ key: `${kind} plan ${date.PlanId} ${date.Date}`, kind: date.Forecast ? 'forecast' : 'plan', day: date.Date, isOpen: true },
        ...{ title: date.PlanName, count: date.Machines, person: date.AssignUserName, to: `${paths[kind]}?PlanId=${date.PlanId}` },
      }),
    ),
  ]
}

/** Visible plans, their orders and repairs of a range of days. */
const useEntries = (From: string, To: string, today: string): Entry[] => {
  const [upkeep, patrol, repairs] = [
    useMay(mtnUpKeepPlan.permission),
    useMay(mtnCheckPlan.permission),
    useMay(mtnMaintenanceOrder.permission),
  ]
  const query = { From, To }
  const up = useCall(upkeepCalls.calendar, { query, of: [mtnUpKeepPlan.name, mtnUpKeepOrder.name], enabled: upkeep })
  const rounds = useCall(patrolCalls.calendar, { query, of: [mtnCheckPlan.name, mtnCheckOrder.name], enabled: patrol })
  const within = [
    { Field: 'PlanFinishTime', Value: From, LogicOP: LogicOP.dateFrom },
    { Field: 'PlanFinishTime', Value: To, LogicOP: LogicOP.dateTo },
  ]
  const { data } = useRows(mtnMaintenanceOrder, { PageSize: 200, QueryInfo: { RelOP: 1, QueryConditions: within } }, { enabled: repairs })
  return useMemo(
    () => [
      ...(data?.Items ?? []).map(
        (order): Entry => ({
          ...{ key: `repair ${order.Id}`, kind: 'repair', day: String(order.PlanFinishTime).slice(0, 10), title: order.Title, count: 1 },
          ...{
            status: order.Status,
            isOpen: !order.IsClosed,
            person: String(order.AssignUserName ?? '') || null,
            to: `${paths.repair}?Id=${order.Id}`,
          },
        }),
      ),
      ...entriesOf('upkeep', up.data, today),
      ...entriesOf('patrol', rounds.data, today),
    ],
    [data, up.data, rounds.data, today],
  )
}

const resources = { repair: 'mtnMaintenanceOrder', upkeep: 'mtnUpKeepOrder', patrol: 'mtnCheckOrder' } as const
const Item = ({ of: { kind, title, status, isOpen, count, person, to } }: { of: Entry }) => {
  const t = useWords()
  const state = kind === 'plan' || kind === 'forecast' ? t(`calendar.${kind}`) : t(`${resources[kind]}.Status.${status}`)
  const text = [title, count > 1 ? `× ${count}` : ''].filter(Boolean).join(' ')
  const words = [text, t(`calendar.kind.${kind}`), state, person ?? t('order.nobody')].join(' · ')
  return (
    <li className={`calendar-item calendar-${kind}${isOpen ? '' : ' calendar-done'}`}>
      <Link to={to ?? ''} title={words} aria-label={words}>
        {text}
      </Link>
    </li>
  )
}

const mostShown = 4
type DayProps = {
  day: string
  entries: readonly Entry[]
  outside: boolean
  here: boolean
  today: boolean
  all: boolean
  press: (e: KeyboardEvent) => void
  open: () => void
}
const Day = ({ day, entries, outside, here, today, all, press, open }: DayProps) => {
  const t = useWords()
  const name = new Date(`${day}T12:00:00Z`).toLocaleDateString(language(), {
    ...{ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' },
  } as Intl.DateTimeFormatOptions)
  const shown = all ? entries : entries.slice(0, mostShown)
  const count = t('calendar.count', { count: entries.reduce((n, e) => n + e.count, 0) })
  return (
    <td className={`calendar-day${outside ? ' calendar-outside' : ''}${today ? ' calendar-today' : ''}`}>
      <button
        type="button"
        className="calendar-date"
        data-day={day}
        tabIndex={here ? 0 : -1}
        aria-label={`${name}: ${count}`}
        onKeyDown={press}
        onClick={open}
      >
        {all ? name : Number(day.slice(8))}
      </button>
      <ul>
        {shown.map((entry) => (
          <Item key={entry.key} of={entry} />
        ))}
      </ul>
      {entries.length > shown.length && <span className="soft">{t('calendar.more', { count: entries.length - shown.length })}</span>}
    </td>
  )
}

const LoadTable = ({ entries }: { entries: readonly Entry[] }) => {
  const t = useWords()
  const load = loadOf(entries)
  const most = Math.max(1, ...load.map(({ open, planned }) => open + planned))
  return (
    <section className="panel" aria-label={t('calendar.load')}>
      <h2>{t('calendar.load')}</h2>
      {load.length === 0 && <p className="soft">{t('calendar.empty')}</p>}
      <ul className="calendar-load">
        {load.map(({ person, open, planned, done }) => (
          <li key={person ?? ''}>
            <span>{person ?? t('order.nobody')}</span>
            <span className="calendar-bar">
              <i style={{ width: `${(open / most) * 100}%` }} />
              <i className="calendar-bar-plan" style={{ width: `${(planned / most) * 100}%` }} />
            </span>
            <span className="soft">{t('calendar.loadOf', { open, planned, done })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Plans and orders by day, and the load of each person. Arrow keys move by day, Page Up and Page Down by month or week; a day opens its week. */
const Calendar = () => {
  const t = useWords()
  const phone = usePhone()
  const today = timeText(Date.now()).slice(0, 10)
  const [view, setView] = useState<View>('month')
  const [day, setDay] = useState(today)
  const grid = useRef<HTMLTableElement>(null)
  const wantsFocus = useRef(false)
  const days = daysAround(day, view)
  const entries = useEntries(days[0]!, days.at(-1)!, today)
  const byDay = Map.groupBy(entries, (entry) => entry.day)
  useEffect(() => {
    if (wantsFocus.current) grid.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus()
    wantsFocus.current = false
  }, [day])
  const title = new Date(`${day}T12:00:00Z`).toLocaleDateString(language(), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const weekdays = days
    .slice(0, 7)
    .map((of) => new Date(`${of}T12:00:00Z`).toLocaleDateString(language(), { weekday: 'short', timeZone: 'UTC' }))
  const press = (e: KeyboardEvent) => {
    const next = keyed(e.key, day, view)
    if (!next) return
    e.preventDefault()
    wantsFocus.current = true
    setDay(next)
  }
  const width = phone ? 1 : 7
  const shownDays = phone ? days.filter((of) => byDay.has(of) || of === today) : days
  return (
    <Page
      title={t('menu.m10618')}
      actions={
        <>
          <Segmented
            value={view}
            onChange={setView}
            options={(['month', 'week'] as const).map((value) => ({ value, label: t(`calendar.${value}`) }))}
          />
          <Button icon={<LeftOutlined />} aria-label={t(`calendar.before.${view}`)} onClick={() => setDay(moved(day, -1, view))} />
          <Button onClick={() => setDay(today)}>{t('calendar.today')}</Button>
          <Button icon={<RightOutlined />} aria-label={t(`calendar.after.${view}`)} onClick={() => setDay(moved(day, 1, view))} />
        </>
      }
    >
      <h2 aria-live="polite">{title}</h2>
      <table ref={grid} aria-label={title} className={`calendar-grid${phone ? ' calendar-list' : ''}`}>
        {!phone && (
          <thead>
            <tr>
              {weekdays.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {Array.from({ length: Math.ceil(shownDays.length / width) }, (_, week) => (
            <tr key={shownDays[week * width]}>
              {shownDays.slice(week * width, week * width + width).map((of) => (
                <Day
                  key={of}
                  day={of}
                  entries={byDay.get(of) ?? []}
                  outside={view === 'month' && of.slice(0, 7) !== day.slice(0, 7)}
                  here={of === day}
                  today={of === today}
                  all={phone || view === 'week'}
                  press={press}
                  open={() => {
                    setDay(of)
                    setView('week')
                  }}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <LoadTable entries={entries} />
    </Page>
  )
}
export default Calendar
