import './alarms.css'
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { type Bar, Columns, Rows } from '../../../../console/chart/Bars.tsx'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { none, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { alarmCalls } from '../contract.ts'
import { durationText } from '../sentence.ts'

const dayMs = 86_400_000
const dayText = (time: number) => timeText(time).slice(0, 10)

const list = '/alarmManagement/alarmInfo?view=history'
/** Link to the alarms of a range of days. */
const during = (from: string, to = from) => `${list}&StartTime=${encodeURIComponent(`${from}~${to}`)}`

type Count = { name: string; count: number; to: string }
const barsOf = (counts: readonly Count[]): Bar[] =>
  counts.map(({ name, count, to }, i) => ({ key: `${i}`, label: name, count, to, title: `${name}: ${count.toLocaleString(language())}` }))

/** Counts under a title, with a text if there are none. */
const Counts = ({ title, counts, of, days }: { title: string; counts: Count[]; of?: number; days?: boolean }) => {
  const t = useWords()
  const Shown = days ? Columns : Rows
  return (
    <section className="panel" aria-label={title}>
      <h3>{title}</h3>
      {counts.length === 0 ? <p className="soft">{t('alarm.analysis.none')}</p> : <Shown bars={barsOf(counts)} label={title} of={of} />}
    </section>
  )
}

/** Maximum days shown as columns; longer ranges are counted by month. */
const mostDays = 62

/** Every day of the range, including days without alarms. */
const daysOf = (
  days: readonly { Date: string; Count: number }[],
  { StartDate, EndDate }: { StartDate: string; EndDate: string },
): Count[] => {
  if (!days.length) return []
  const length = dayjs(EndDate).diff(StartDate, 'day') + 1
  if (length > mostDays)
    return [...Map.groupBy(days, (d) => d.Date.slice(0, 7))].map(([month, all]) => ({
      name: month,
      count: all.reduce((sum, d) => sum + d.Count, 0),
      to: during(all[0]!.Date, all.at(-1)!.Date),
    }))
  const counts = new Map(days.map((d) => [d.Date, d.Count]))
  return Array.from({ length }, (_, i) => dayjs(StartDate).add(i, 'day').format('YYYY-MM-DD')).map((day) => ({
    ...{ name: day.slice(5), count: counts.get(day) ?? 0, to: during(day) },
  }))
}

/** Alarm statistics: number, sources, durations, and nuisance alarms. */
const AnalysisScreen = () => {
  const t = useWords()
  const [range, setRange] = useState(() => ({ StartDate: dayText(Date.now() - 29 * dayMs), EndDate: dayText(Date.now()) }))
  const { data, error, refetch } = useCall(alarmCalls.analyse, { query: range, of: ['alarmInfo'] })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const lengthOf = (seconds: number | null) => (seconds === null ? none : durationText(seconds, t))
  const figures = data && [
    ['total', data.Total.toLocaleString(language())],
    ['false', data.False.toLocaleString(language())],
    ['ack', lengthOf(data.MeanAckSeconds)],
    ['recover', lengthOf(data.MeanRecoverSeconds)],
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
          <Counts title={t('alarm.analysis.days')} days counts={daysOf(data.Days, range)} />
          <Counts
            title={t('alarm.analysis.levels')}
            of={data.Total}
            counts={data.Levels.map((l) => ({
              ...{ name: t(`alarmInfo.AlarmLevel.${l.AlarmLevel}`), count: l.Count },
              to: `${during(range.StartDate, range.EndDate)}&AlarmLevel=${l.AlarmLevel}`,
            }))}
          />
          <Counts
            title={t('alarm.analysis.devices')}
            counts={data.Devices.map((d) => ({
              ...{ name: d.DeviceName || `#${d.DeviceId}`, count: d.Count },
              to: `${during(range.StartDate, range.EndDate)}&DeviceId=${d.DeviceId}`,
            }))}
          />
          <Counts
            title={t('alarm.analysis.floods')}
            counts={data.Floods.map((f) => ({ name: f.Time.slice(0, 16), count: f.Count, to: during(f.Time.slice(0, 10)) }))}
          />
          <Counts
            title={t('alarm.analysis.chattering')}
            counts={data.Chattering.map((c) => ({
              ...{ name: c.RuleName, count: c.Count },
              to: `${during(range.StartDate, range.EndDate)}&q=${encodeURIComponent(c.RuleName)}`,
            }))}
          />
        </div>
      )}
    </Page>
  )
}
export default AnalysisScreen
