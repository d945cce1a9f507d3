import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import type { Shown } from '../../../../console/kernel/api.ts'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import { weekdays, weekdayText } from '../../../../console/words/weekdays.ts'
import { useWords, type Words } from '../../../../console/words/words.ts'
import { type MakeUp, minutesOf, type ShiftEntry, type shiftPlan } from '../contract.ts'
import { DayLine } from './DayLine.tsx'
import { DaysFromSheet } from './DaysFromSheet.tsx'
import './shifts.css'

type InputProps = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
const listOf = <T,>(value: unknown) => (Array.isArray(value) ? (value as T[]) : [])
const weekdayOptions = () => weekdays.map((value) => ({ value, label: weekdayText(value, 'long') }))

/** Midnight at the end of a day is 24:00; a clock shows 00:00. */
const endOf = (start: string, clock: string) => (clock === '00:00' && start !== '00:00' ? '24:00' : clock)
const shown = (clock: string) => (clock === '24:00' ? '00:00' : clock)
const proposed = (last: ShiftEntry | undefined): ShiftEntry => {
  const start = last ? minutesOf(shown(last.End)) : 360
  const clock = (minutes: number) => `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  return { Name: '', Start: clock(start), End: endOf(clock(start), clock(start + 480)), ...(last?.Weeks ? { Weeks: last.Weeks } : {}) }
}

/** Names, times and weekdays of shifts, and below them the day line that they make. */
const TimesInput = ({ id, value, onChange }: InputProps) => {
  const t = useWords()
  const entries = listOf<ShiftEntry>(value)
  const set = (at: number, part: Partial<ShiftEntry>) => onChange?.(entries.map((entry, i) => (i === at ? { ...entry, ...part } : entry)))
  return (
    <div id={id}>
      {entries.map((entry, i) => (
        <div key={i} className="shift-times">
          <Input
            value={entry.Name}
            maxLength={40}
            placeholder={t('shift.name')}
            aria-label={t('shift.name')}
            onChange={(event) => set(i, { Name: event.target.value })}
          />
          <Input
            type="time"
            value={entry.Start}
            aria-label={t('shift.start')}
            onChange={({ target }) => target.value && set(i, { Start: target.value })}
          />
          <Input
            type="time"
            value={shown(entry.End)}
            aria-label={t('shift.end')}
            onChange={({ target }) => target.value && set(i, { End: endOf(entry.Start, target.value) })}
          />
          <Select<number[]>
            mode="multiple"
            value={[...(entry.Weeks ?? [])]}
            placeholder={t('shift.everyDay')}
            aria-label={t('shift.weekdays')}
            options={weekdayOptions()}
            onChange={(Weeks) => set(i, { Weeks })}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('shift.remove', { shift: i + 1 })}
            onClick={() => onChange?.(entries.filter((_, k) => k !== i))}
          />
        </div>
      ))}
      <Button type="dashed" icon={<PlusOutlined />} onClick={() => onChange?.([...entries, proposed(entries.at(-1))])}>
        {t('shift.add')}
      </Button>
      {entries.length > 0 && <DayLine entries={entries} />}
      <p className="faint">{t('shift.zone')}</p>
    </div>
  )
}

const DayInput = ({ id, label, value, onChange }: InputProps & { label?: string }) => (
  <Input
    type="date"
    {...(id ? { id } : {})}
    {...(label ? { 'aria-label': label } : {})}
    value={String(value ?? '')}
    onChange={({ target }) => onChange?.(target.value)}
    style={{ width: 170 }}
  />
)

/** A list of dates, each with an extra control in its row. */
const HolidaysInput = ({ id, value, onChange }: InputProps) => {
  const t = useWords()
  const days = listOf<string>(value)
  return (
    <div id={id}>
      {days.map((day, i) => (
        <div key={i} className="shift-entry">
          <DayInput
            label={`${t('shift.sheet.day')} ${i + 1}`}
            value={day}
            onChange={(next) => onChange?.(days.map((old, k) => (k === i ? next : old)))}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('shift.removeDay', { day })}
            onClick={() => onChange?.(days.filter((_, k) => k !== i))}
          />
        </div>
      ))}
      <Button type="dashed" icon={<PlusOutlined />} onClick={() => onChange?.([...days, new Date().toISOString().slice(0, 10)])}>
        {t('shift.addDay')}
      </Button>
      <DaysFromSheet days={days} take={(next) => onChange?.(next)} />
    </div>
  )
}

const MakeUpsInput = ({ id, value, onChange }: InputProps) => {
  const t = useWords()
  const days = listOf<MakeUp>(value)
  const set = (at: number, part: Partial<MakeUp>) => onChange?.(days.map((old, i) => (i === at ? { ...old, ...part } : old)))
  return (
    <div id={id}>
      {days.map(({ Day, As }, i) => (
        <div key={i} className="shift-entry">
          <DayInput label={`${t('shift.sheet.day')} ${i + 1}`} value={Day} onChange={(next) => set(i, { Day: String(next) })} />
          <span>{t('shift.as')}</span>
          <Select
            value={As}
            aria-label={t('shift.weekdays')}
            options={weekdayOptions()}
            onChange={(next) => set(i, { As: next })}
            style={{ width: 150 }}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('shift.removeDay', { day: Day })}
            onClick={() => onChange?.(days.filter((_, k) => k !== i))}
          />
        </div>
      ))}
      <Button
        type="dashed"
        icon={<PlusOutlined />}
        onClick={() => onChange?.([...days, { Day: new Date().toISOString().slice(0, 10), As: 2 }])}
      >
        {t('shift.addDay')}
      </Button>
    </div>
  )
}

type Row = Shown<typeof shiftPlan>
const timesText = ({ Times }: Row, t: Words) =>
  Times.map(({ Name, Start, End, Weeks }) => {
    const next = End < Start ? ` (${t('shift.nextDay')})` : ''
    const days = Weeks?.length ? ` · ${Weeks.map((weekday) => weekdayText(weekday)).join(', ')}` : ''
    return `${Name} ${Start} – ${End}${next}${days}`
  }).join('; ')

export const cells = {
  Times: timesText,
  Holidays: ({ Holidays }: Row, t: Words) => Holidays.join(', ') || t('shift.none'),
  MakeUps: ({ MakeUps }: Row, t: Words) => MakeUps.map(({ Day, As }) => `${Day}: ${weekdayText(As, 'long')}`).join(', ') || t('shift.none'),
}
export const inputs: FormProps['inputs'] = { ValidFrom: DayInput, Times: TimesInput, Holidays: HolidaysInput, MakeUps: MakeUpsInput }
