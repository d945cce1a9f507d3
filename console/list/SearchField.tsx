import { DatePicker, Input, Segmented } from 'antd'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'
import type { Field } from '../../contract/base/field.ts'
import { FieldInput, FlagFilter } from '../resource/fields.tsx'
import { useWords } from '../words/words.ts'
import { useCut } from './useCut.ts'

type Props = { field: Field; name: string; label: string; value: string | undefined; onChange: (value: string | number | null) => void }

const day = 'YYYY-MM-DD'
/** A range of whole days, or of whole months where the switch says so; one end may be open. */
const RangeField = ({ label, value, onChange }: Props) => {
  const t = useWords()
  const [picker, setPicker] = useState<'date' | 'month'>('date')
  const [from, to] = (value ?? '').split('~').map((text) => (text ? dayjs(text, day) : null))
  return (
    <DatePicker.RangePicker
      aria-label={label}
      picker={picker}
      allowEmpty={[true, true]}
      value={[from ?? null, to ?? null]}
      placeholder={[t('list.from', { name: label }), t('list.to')]}
      onChange={(range) => {
        const [start, end] = [range?.[0]?.startOf(picker).format(day) ?? '', range?.[1]?.endOf(picker).format(day) ?? '']
        onChange(start || end ? `${start}~${end}` : null)
      }}
      renderExtraFooter={() => (
        <Segmented
          size="small"
          value={picker}
          onChange={setPicker}
          options={[
            { value: 'date', label: t('list.byDay') },
            { value: 'month', label: t('list.byMonth') },
          ]}
        />
      )}
    />
  )
}

const TextField = ({ label, value = '', onChange }: Props) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const cut = useCut()
  const done = () => text.trim() !== value && onChange(text.trim() || null)
  return (
    <Input
      allowClear
      value={text}
      placeholder={label}
      aria-label={label}
      onChange={(e) => {
        setText(cut(e.target.value))
        if (e.target.value === '') onChange(null)
      }}
      onPressEnter={done}
      onBlur={done}
    />
  )
}

/** How each kind of field is searched by. */
export const SearchField = (props: Props) => {
  const { field: f, name, label, value: chosen, onChange } = props
  if (f.kind === 'instant') return <RangeField {...props} />
  if (f.kind === 'text' || f.kind === 'long') return <TextField {...props} />
  const value = chosen === undefined ? undefined : Number.isNaN(Number(chosen)) ? chosen : Number(chosen)
  const given = {
    name,
    value,
    onChange: (v: unknown) => onChange(v as string | number | null),
    placeholder: label,
    'aria-label': label,
  }
  return f.kind === 'flag' ? <FlagFilter field={f} {...given} /> : <FieldInput field={{ ...f, required: false }} {...given} />
}
