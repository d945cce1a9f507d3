import { DatePicker, Segmented } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { useWords } from '../../words/words.ts'
import { type DateMode, dateMode } from './searchKind.ts'

type Props = { label: string; value: string | undefined; onChange: (value: string | null) => void }
const day = 'YYYY-MM-DD'
const modes = { one: 'list.byOne', date: 'list.byDay', month: 'list.byMonth' } as const

/** A day, a range of days or a range of months, as the switch says. One end may be open. */
export const DateField = ({ label, value, onChange }: Props) => {
  const t = useWords()
  const [mode, setMode] = useState<DateMode>(() => dateMode(value))
  const [from, to] = (value ?? '').split('~').map((text) => (text ? dayjs(text, day) : null))
  const put = (start: Dayjs | null | undefined, end: Dayjs | null | undefined) =>
    onChange(start || end ? `${start?.format(day) ?? ''}~${end?.format(day) ?? ''}` : null)
  const footer = () => (
    <Segmented
      size="small"
      value={mode}
      onChange={setMode}
      options={Object.entries(modes).map(([key, word]) => ({ value: key as DateMode, label: t(word) }))}
    />
  )
  if (mode === 'one')
    return (
      <DatePicker
        aria-label={label}
        value={from ?? null}
        placeholder={label}
        onChange={(chosen) => put(chosen, chosen)}
        renderExtraFooter={footer}
      />
    )
  return (
    <DatePicker.RangePicker
      aria-label={label}
      picker={mode}
      allowEmpty={[true, true]}
      value={[from ?? null, to ?? null]}
      placeholder={[t('list.from', { name: label }), t('list.to')]}
      onChange={(range) => put(range?.[0]?.startOf(mode), range?.[1]?.endOf(mode))}
      renderExtraFooter={footer}
    />
  )
}
