import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, DatePicker, Segmented, Select } from 'antd'
import dayjs from 'dayjs'
import { usePhone } from '../theme/useWidth.ts'
import { useWords } from '../words/words.ts'
import { type CalendarSpan, calendarSpanOf, daysOf, inSpan, periodAt, steppedPeriod } from './calendarSpans.ts'

type Props = {
  /** The period, in the format of calendarSpans.ts. */
  of: string
  spans: readonly CalendarSpan[]
  today: string
  set: (of: string) => void
}

const isoDay = 'YYYY-MM-DD'
const pickers = { day: 'date', week: 'date', month: 'month', year: 'year' } as const

/** Picks a calendar period: its span, the period, and the previous and next one. */
export const PeriodPicker = ({ of, spans, today, set }: Props) => {
  const t = useWords()
  const phone = usePhone()
  const span = calendarSpanOf(of)
  const { from, to } = daysOf(of) ?? { from: today, to: today }
  const options = spans.map((value) => ({ value, label: t(`period.${value}`) }))
  const choose = (next: CalendarSpan) => set(inSpan(of, next, today))
  const next = steppedPeriod(of, 1)
  const shared = { allowClear: false, 'aria-label': t('period.which'), needConfirm: false } as const
  return (
    <span className="period-picker">
      {phone ? (
        <Select value={span} onChange={choose} options={options} aria-label={t('period.span')} style={{ width: 104 }} />
      ) : (
        <Segmented<CalendarSpan> value={span} onChange={choose} options={options} aria-label={t('period.span')} />
      )}
      <span className="period-step">
        <Button
          icon={<LeftOutlined />}
          aria-label={t('period.before')}
          title={t('period.before')}
          onClick={() => set(steppedPeriod(of, -1))}
        />
        {span === 'range' ? (
          <DatePicker.RangePicker
            {...shared}
            value={[dayjs(from), dayjs(to)]}
            format={isoDay}
            onChange={(dates) => {
              const [start, end] = (dates ?? []).map((d) => d?.format(isoDay))
              if (start && end) set(`${start}~${end}`)
            }}
          />
        ) : (
          <DatePicker
            {...shared}
            key={span}
            picker={pickers[span]}
            value={dayjs(from)}
            format={span === 'week' ? () => `${from} – ${to.slice(5)}` : isoDay.slice(0, of.length)}
            onChange={(date) => date && set(periodAt(date.format(isoDay), span))}
          />
        )}
        <Button
          icon={<RightOutlined />}
          aria-label={t('period.after')}
          title={t('period.after')}
          disabled={(daysOf(next)?.from ?? '') > today}
          onClick={() => set(next)}
        />
      </span>
    </span>
  )
}
