import { AutoComplete, Input } from 'antd'
import { useEffect, useState } from 'react'
import { LogicOP } from '../../../contract/call.ts'
import type { Resource } from '../../../contract/resource.ts'
import { useRows } from '../api.ts'
import { useCut } from './useCut.ts'

type Props = { label: string; value: string | undefined; onChange: (value: string | null) => void }

const useText = ({ value = '', onChange }: Props) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const cut = useCut()
  return {
    text,
    type: (next: string) => {
      setText(cut(next))
      if (next === '') onChange(null)
    },
    done: (next = text) => next.trim() !== value && onChange(next.trim() || null),
  }
}

export const TextField = (props: Props) => {
  const { text, type, done } = useText(props)
  return (
    <Input
      allowClear
      value={text}
      placeholder={props.label}
      aria-label={props.label}
      onChange={(e) => type(e.target.value)}
      onPressEnter={() => done()}
      onBlur={() => done()}
    />
  )
}

/** Debounce of typing, ms. */
const pauseMs = 250

/** Text input that suggests existing values of the field. */
export const SuggestField = (props: Props & { of: Resource; field: string }) => {
  const { of: r, field } = props
  const { text, type, done } = useText(props)
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  const QueryConditions = [{ Field: field, Value: asked, LogicOP: LogicOP.contains }]
  const query = { PageIndex: 1, PageSize: 20, QueryInfo: { RelOP: 1 as const, QueryConditions } }
  const { data } = useRows(r, query, { enabled: asked !== '' && asked !== props.value })
  const found = [...new Set((data?.Items ?? []).map((row) => String((row as Record<string, unknown>)[field] ?? '')))]
  return (
    <AutoComplete
      allowClear
      value={text}
      placeholder={props.label}
      aria-label={props.label}
      options={asked ? found.slice(0, 10).map((value) => ({ value })) : []}
      popupMatchSelectWidth={false}
      style={{ width: '100%' }}
      onChange={(next: string | undefined) => type(next ?? '')}
      onSelect={(next) => done(next ?? '')}
      onBlur={() => done()}
      onInputKeyDown={(e) => e.key === 'Enter' && done()}
    />
  )
}
