import './orders.css'
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { Rows } from '../../../../console/chart/Bars.tsx'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { currency, useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { moneyText, none, numberText, timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { seesCost } from '../../spare-parts/contract.ts'
import { figureCalls, mostDays } from '../figures.ts'

type Figures = Answer<typeof figureCalls.figures>
type Range = { DateFrom: string; DateTo: string }
const orders = '/maintenanceCenter/repair/repairOrder'
/** Link to the list behind a figure. */
const listOf = (of: Record<string, string | number>) =>
  `${orders}?${new URLSearchParams(Object.entries(of).map(([k, v]) => [k, String(v)]))}`
const spanOf = ({ DateFrom, DateTo }: Range) => `${DateFrom}~${DateTo}`
const percent = (value: number | null) => (value === null ? none : `${numberText(value, 0, undefined, 1)} %`)
const hours = (value: number | null) => (value === null ? none : `${numberText(value, 0, undefined, 1)} h`)

const Tile = ({ label, value, note, to }: { label: string; value: string; note?: string; to: string }) => (
  <Link className="panel" to={to}>
    <span className="soft">{label}</span>
    <strong className="figures">{value}</strong>
    {note && <span className="soft">{note}</span>}
  </Link>
)

const money = (amount: number | null) => (amount === null ? none : moneyText(amount, currency()))

const Tiles = ({ of, range }: { of: Figures; range: Range }) => {
  const t = useWords()
  const [ReportTime, FinishTime] = [spanOf(range), spanOf(range)]
  const noneIn = of.RunningHours ? t('figure.noFailure', { hours: numberText(of.RunningHours, 0, undefined, 0) }) : hours(null)
  return (
    <div className="figure-tiles">
      <Tile label="MTTR" value={hours(of.Mttr)} note={t('figure.mttr', { count: of.Finished })} to={listOf({ FinishTime })} />
      <Tile
        label="MTBF"
        value={of.Mtbf === null ? noneIn : hours(of.Mtbf)}
        note={t('figure.failures', { count: of.Failures })}
        to={listOf({ ReportTime, IsFailure: 1 })}
      />
      <Tile
        label={t('figure.availability')}
        value={percent(of.Availability)}
        note={t('figure.stopped', { hours: numberText(of.StopHours, 0, undefined, 1) })}
        to={listOf({ IsFailure: 1, ReportTime })}
      />
      <Tile label={t('figure.firstTime')} value={percent(of.FirstTime)} to={listOf({ FinishTime, FirstTime: 1 })} />
      <Tile label={t('figure.onTime')} value={percent(of.OnTime)} to={listOf({ FinishTime, OnTime: 1 })} />
      <Tile label={t('figure.planned')} value={`${of.Planned} : ${of.Reactive}`} to={listOf({ ReportTime })} />
      <Tile
        label={t('figure.backlog')}
        value={hours(of.BacklogHours)}
        note={t('figure.open', { count: of.OpenCount })}
        to={`${orders}?view=board`}
      />
      {of.Cost !== null && <Tile label={t('mtnMaintenanceOrder.Cost')} value={money(of.Cost)} to={listOf({ FinishTime })} />}
      {of.PlannedCost !== null && (
        <Tile
          label={t('figure.plannedCost')}
          value={money(of.PlannedCost)}
          to={`/maintenanceCenter/maintain/order?FinishTime=${FinishTime}`}
        />
      )}
    </div>
  )
}

const Panel = ({ title, wide, children }: { title: string; wide?: boolean; children: ReactNode }) => (
  <section className={wide ? 'panel figure-wide' : 'panel'} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)

const causeOf = (t: ReturnType<typeof useWords>, cause: number | null) =>
  cause === null ? t('figure.noCause') : t(`mtnMaintenanceOrder.CauseType.${cause}`)
/** Causes by frequency, with their running share. */
const Pareto = ({ of: { Causes }, range }: { of: Figures; range: Range }) => {
  const t = useWords()
  const all = Causes.reduce((sum, { Count }) => sum + Count, 0)
  const bars = Causes.map(({ CauseType, Count }, i) => {
    const running = Causes.slice(0, i + 1).reduce((sum, one) => sum + one.Count, 0)
    const label = `${causeOf(t, CauseType)} (${Math.round((100 * running) / all)} %)`
    const to = listOf({ FinishTime: spanOf(range), ...(CauseType === null ? {} : { CauseType }) })
    return { key: String(CauseType), label, count: Count, to, title: `${label}: ${Count}` }
  })
  return (
    <Panel title={t('figure.causes')}>
      {bars.length ? <Rows bars={bars} label={t('figure.causes')} of={all} /> : <p className="soft">{t('figure.none')}</p>}
    </Panel>
  )
}

const Months = ({ of: { Months }, range }: { of: Figures; range: Range }) => {
  const t = useWords()
  return (
    <Panel title={t('figure.months')}>
      <table className="figure-table">
        <thead>
          <tr>
            <th scope="col">{t('figure.month')}</th>
            <th scope="col">{t('figure.ofPlans')}</th>
            <th scope="col">{t('figure.repairs')}</th>
          </tr>
        </thead>
        <tbody>
          {Months.map(({ Month, Planned, Reactive }) => {
            const last = dayjs(`${Month}-01`).endOf('month').format('YYYY-MM-DD')
            const from = [`${Month}-01`, range.DateFrom].toSorted()[1]
            const ReportTime = `${from}~${[last, range.DateTo].toSorted()[0]}`
            return (
              <tr key={Month}>
                <td>{Month}</td>
                <td className="figures">{Planned}</td>
                <td className="figures">
                  <Link to={listOf({ ReportTime })}>{Reactive}</Link>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Panel>
  )
}

const Machines = ({ of: { Machines: machines, Cost }, range }: { of: Figures; range: Range }) => {
  const t = useWords()
  const heads = ['figure.failureCount', 'MTBF', 'MTTR', 'figure.stops', 'figure.running', 'figure.availability']
  return (
    <Panel wide title={t('figure.machines')}>
      <table className="figure-table">
        <thead>
          <tr>
            <th scope="col">{t('mtnMaintenanceOrder.DeviceId')}</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head.startsWith('M') ? head : t(head)}
              </th>
            ))}
            {Cost !== null && <th scope="col">{t('mtnMaintenanceOrder.Cost')}</th>}
          </tr>
        </thead>
        <tbody>
          {machines.map((m, i) => (
            <tr key={m.DeviceId ?? `none ${i}`}>
              <td>
                {m.DeviceId ? (
                  <Link to={listOf({ DeviceId: m.DeviceId, ReportTime: spanOf(range) })}>{m.Name || `#${m.DeviceId}`}</Link>
                ) : (
                  t('figure.noMachine')
                )}
              </td>
              <td className="figures">{m.Failures}</td>
              <td className="figures">
                {m.Mtbf === null ? t('figure.noFailure', { hours: numberText(m.RunningHours, 0, undefined, 0) }) : hours(m.Mtbf)}
              </td>
              <td className="figures">{hours(m.Mttr)}</td>
              <td className="figures">{hours(m.StopHours)}</td>
              <td className="figures">
                {hours(m.RunningHours)}
                {m.ByCounter > 0 && <span className="soft"> {t(m.ByCounter === 1 ? 'figure.byCounter' : 'figure.byPoint')}</span>}
              </td>
              <td className="figures">{percent(m.Availability)}</td>
              {Cost !== null && <td className="figures">{money(m.Cost)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

/** Cost by cause, for holders of the button. */
const Costs = ({ of: { Causes }, range }: { of: Figures; range: Range }) => {
  const t = useWords()
  return (
    <Panel title={t('figure.costs')}>
      <table className="figure-table">
        <tbody>
          {Causes.map(({ CauseType, Cost }) => (
            <tr key={String(CauseType)}>
              <td>
                <Link to={listOf({ FinishTime: spanOf(range), ...(CauseType === null ? {} : { CauseType }) })}>
                  {causeOf(t, CauseType)}
                </Link>
              </td>
              <td className="figures">{money(Cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

const dayMs = 86_400_000
/** Maintenance KPIs. Each figure opens the list that it counts. */
const FiguresScreen = () => {
  const t = useWords()
  const sees = useMay(seesCost)
  const [range, setRange] = useState<Range>(() => ({
    DateFrom: timeText(Date.now() - 89 * dayMs).slice(0, 10),
    DateTo: timeText(Date.now()).slice(0, 10),
  }))
  const { data, error, refetch } = useCall(figureCalls.figures, {
    query: range,
    of: ['mtnMaintenanceOrder', 'mtnUpKeepOrder', 'mtnCheckOrder'],
  })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  return (
    <Page
      title={t('menu.m10617')}
      actions={
        <DatePicker.RangePicker
          allowClear={false}
          value={[dayjs(range.DateFrom), dayjs(range.DateTo)]}
          disabledDate={(at, { from }) => Boolean(from && Math.abs(at.diff(from, 'day')) >= mostDays)}
          onChange={(dates) => {
            const [DateFrom, DateTo] = (dates ?? []).map((d) => d?.format('YYYY-MM-DD'))
            if (DateFrom && DateTo) setRange({ DateFrom, DateTo })
          }}
        />
      }
    >
      {data && (
        <>
          <Tiles of={data} range={range} />
          <p className="soft figure-help">{t('figure.help')}</p>
          <div className="figure-halves">
            <Pareto of={data} range={range} />
            {data.Months.length > 0 && <Months of={data} range={range} />}
            {sees && data.Causes.length > 0 && <Costs of={data} range={range} />}
            {data.Machines.length > 0 && <Machines of={data} range={range} />}
          </div>
        </>
      )}
    </Page>
  )
}
export default FiguresScreen
