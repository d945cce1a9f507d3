import './alarms.css'
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { Fragment, useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { alarmCalls } from '../contract.ts'

const dayMs = 86_400_000
const dayText = (time: number) => timeText(time).slice(0, 10)

/** Counts as bars with their figures; in words where there is nothing. */
const Bars = ({ title, rows }: { title: string; rows: { name: string; count: number }[] }) => {
  const t = useWords()
  const most = Math.max(1, ...rows.map((r) => r.count))
  return (
    <section className="panel" aria-label={title}>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className="soft">{t('alarm.analysis.none')}</p>
      ) : (
        <div className="alarm-bars">
          {rows.map(({ name, count }, i) => (
            <Fragment key={i}>
              <span>{name}</span>
              <i style={{ width: `${(count / most) * 100}%` }} />
              <span className="figures">{count.toLocaleString(language())}</span>
            </Fragment>
          ))}
        </div>
      )}
    </section>
  )
}

const lengthText = (seconds: number | null) => {
  if (seconds === null) return '–'
  const [unit, of] = seconds >= 5400 ? (['hour', 3600] as const) : seconds >= 90 ? (['minute', 60] as const) : (['second', 1] as const)
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(seconds / of)
}

/** How the plant lives with its alarms: how many, where, how long, and which are a nuisance. */
const AnalysisScreen = () => {
  const t = useWords()
  const [range, setRange] = useState(() => ({ StartDate: dayText(Date.now() - 29 * dayMs), EndDate: dayText(Date.now()) }))
  const { data, error, refetch } = useCall(alarmCalls.analyse, { query: range, of: ['alarmInfo'] })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const figures = data && [
    ['total', data.Total.toLocaleString(language())],
    ['false', data.False.toLocaleString(language())],
    ['ack', lengthText(data.MeanAckSeconds)],
    ['recover', lengthText(data.MeanRecoverSeconds)],
    ['standing', data.Standing.toLocaleString(language())],
  ]
  return (
    <Page
      title={t('menu.m10204')}
      actions={
        <DatePicker.RangePicker
          allowClear={false}
          value={[dayjs(range.StartDate), dayjs(range.EndDate)]}
          onChange={(dates) => {
            const [StartDate, EndDate] = (dates ?? []).map((d) => d?.format('YYYY-MM-DD'))
            if (StartDate && EndDate) setRange({ StartDate, EndDate })
          }}
        />
      }
    >
      {data && (
        <div className="alarm-analysis">
          <div className="alarm-figures">
            {figures!.map(([name, value]) => (
              <div key={name} className="panel">
                <span className="soft">{t(`alarm.analysis.${name}`)}</span>
                <strong className="figures">{value}</strong>
              </div>
            ))}
          </div>
          <Bars
            title={t('alarm.analysis.levels')}
            rows={data.Levels.map((l) => ({ name: t(`alarmInfo.AlarmLevel.${l.AlarmLevel}`), count: l.Count }))}
          />
          <Bars
            title={t('alarm.analysis.devices')}
            rows={data.Devices.map((d) => ({ name: d.DeviceName || `#${d.DeviceId}`, count: d.Count }))}
          />
          <Bars title={t('alarm.analysis.days')} rows={data.Days.map((d) => ({ name: d.Date, count: d.Count }))} />
          <Bars title={t('alarm.analysis.floods')} rows={data.Floods.map((f) => ({ name: f.Time, count: f.Count }))} />
          <Bars title={t('alarm.analysis.chattering')} rows={data.Chattering.map((c) => ({ name: c.RuleName, count: c.Count }))} />
        </div>
      )}
    </Page>
  )
}
export default AnalysisScreen
