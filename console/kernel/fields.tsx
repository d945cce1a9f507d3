import { DatePicker, Input, InputNumber, Select, Switch } from 'antd'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import type { Attachment, Field } from '../../contract/field.ts'
import { resourceNamed } from '../../contract/registry.ts'
import type { Resource } from '../../contract/resource.ts'
import { FileLink, FilesInput } from '../files/FilesInput.tsx'
import { currency } from '../session/session.ts'
import { lazyScreen } from '../shell/lazyScreen.tsx'
import { moneyText, none } from '../words/formats.ts'
import { Ago, Moment } from '../words/moments.tsx'
import { language, useWords, type Words } from '../words/words.ts'
import { RefInput } from './RefInput.tsx'

const CronEditor = lazyScreen(() => import('../cron/CronEditor.tsx'), null)
const instantFormat = 'YYYY-MM-DD HH:mm:ss'

export const choices = (f: Field & { kind: 'choice' }, name: string, t: Words) =>
  f.of.map((value) => ({ value, label: t(`${name}.${value}`) }))

type InputProps = {
  field: Field
  /** `<resource>.<field>`, the root of its words. */
  name: string
  value?: unknown
  onChange?: (value: unknown) => void
  where?: Record<string, string | number | undefined>
  id?: string
  placeholder?: string
  disabled?: boolean
  autoFocus?: boolean
  size?: 'small' | 'middle' | 'large'
  status?: 'error' | ''
  'aria-label'?: string
  onBlur?: () => void
  onKeyDown?: (event: React.KeyboardEvent) => void
}

/** The input of each field kind. A new kind adds a case here and one in Cell. */
export const FieldInput = ({ field: f, name, value, onChange, where, ...rest }: InputProps): ReactNode => {
  const t = useWords()
  switch (f.kind) {
    case 'text':
      if (f.validator === 'cron') return <CronEditor id={rest.id} disabled={rest.disabled} value={value as string} onChange={onChange} />
      return (
        <Input
          maxLength={f.max}
          value={(value as string | null) ?? ''}
          onChange={(e) => onChange?.(e.target.value || null)}
          autoComplete="off"
          {...rest}
        />
      )
    case 'long':
      return (
        <Input.TextArea
          maxLength={f.max}
          autoSize={{ minRows: 2, maxRows: 6 }}
          value={(value as string | null) ?? ''}
          onChange={(e) => onChange?.(e.target.value || null)}
          {...rest}
        />
      )
    case 'number':
      return (
        <InputNumber
          suffix={f.money ? currency() : f.unit}
          changeOnWheel={false}
          controls={false}
          style={{ width: '100%' }}
          value={value as number | null}
          onChange={(v) => onChange?.(v)}
          {...rest}
        />
      )
    case 'flag': {
      const yes = f.inverted ? 0 : 1
      const { id, disabled, autoFocus } = rest
      return (
        <Switch
          id={id}
          disabled={disabled}
          autoFocus={autoFocus}
          aria-label={rest['aria-label']}
          checked={value === yes}
          onChange={(on) => onChange?.(on ? yes : 1 - yes)}
        />
      )
    }
    case 'choice':
      return (
        <Select
          value={value ?? undefined}
          onChange={(v) => onChange?.(v ?? null)}
          allowClear={!f.required}
          options={choices(f, name, t)}
          popupMatchSelectWidth={false}
          style={{ width: '100%', minWidth: 110 }}
          {...rest}
        />
      )
    case 'instant':
      return (
        <DatePicker
          showTime
          value={value ? dayjs(String(value), instantFormat) : null}
          onChange={(v) => onChange?.(v ? v.format(instantFormat) : null)}
          style={{ width: '100%' }}
          {...rest}
        />
      )
    case 'files': {
      const { most, purpose } = f
      const files = value as Attachment[] | null
      return <FilesInput id={rest.id} disabled={rest.disabled} most={most} purpose={purpose} value={files} onChange={onChange} />
    }
    case 'ref': {
      const to = resourceNamed(f.to)
      const { size: _, status: __, autoFocus: ___, onBlur: ____, onKeyDown: _____, ...passed } = rest
      return to ? (
        <RefInput to={to} value={value as number | null} onChange={onChange} where={where} allowClear={!f.required} {...passed} />
      ) : null
    }
    case 'json':
      return null
  }
}

type CellProps = { of: Resource; field: string; row: Record<string, unknown>; short?: boolean }
/** The cell of each field kind. Short, as in lists, moments are ages or leave out today's date. */
export const Cell = ({ of: r, field: key, row, short }: CellProps): ReactNode => {
  const t = useWords()
  const f = r.fields[key]
  const value = row[key]
  if (!f) return null
  if (value === null || value === undefined || value === '') return <span className="faint">{none}</span>
  switch (f.kind) {
    case 'text':
    case 'long':
      return String(value)
    case 'files':
      return (value as Attachment[]).map((file) => <FileLink key={file.FilePath} file={file} />)
    case 'instant':
      if (short) return f.age ? <Ago time={String(value)} /> : <Moment time={String(value)} />
      return <span className="figures">{String(value)}</span>
    case 'number':
      if (f.money) return <span className="figures">{moneyText(Number(value), currency(), language())}</span>
      return (
        <span className="figures">
          {Number(value).toLocaleString(language(), { useGrouping: !f.integer, maximumFractionDigits: 6 })}
          {f.unit && <span className="unit"> {f.unit}</span>}
        </span>
      )
    case 'flag':
      return t((value === 1) !== Boolean(f.inverted) ? 'flag.yes' : 'flag.no')
    case 'choice':
      return t(`${r.name}.${key}.${value}`)
    case 'ref':
      return String(row[f.as ?? key.replace(/Id$/, 'Name')] ?? value)
    case 'json':
      return null
  }
}

export const numeric = (f: Field | undefined) => f?.kind === 'number'
