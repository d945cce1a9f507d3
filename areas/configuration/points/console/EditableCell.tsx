import { Tooltip } from 'antd'
import { useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import { Cell, FieldInput } from '../../../../console/kernel/fields.tsx'
import { useUndoableChange } from '../../../../console/kernel/list/undo.tsx'
import type { Fault } from '../../../../console/session/request.ts'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { point } from '../contract.ts'
import { faultOf, fieldOf } from './columns.ts'

type Props = { row: Shown<typeof point>; name: string; may: boolean }

/** A cell that becomes an input: Enter or leaving it saves, Esc gives up; what is wrong is said at the cell. */
export const EditableCell = ({ row, name, may }: Props) => {
  const t = useWords()
  const f = fieldOf(name)
  const save = useUndoableChange(point)
  const [pending, setPending] = useState(false)
  const [draft, setDraft] = useState<{ value: unknown }>()
  const [fault, setFault] = useState<string>()
  const label = `${t(`point.${name}`)}: ${row.ParaName}`
  const pick = f.kind === 'choice' || f.kind === 'flag'

  const stop = () => {
    setDraft(undefined)
    setFault(undefined)
  }
  const keep = (value: unknown) => {
    const entered = value === '' ? null : value
    if (entered === row[name]) return stop()
    const wrong = faultOf(f, entered)
    if (wrong === 'form.pattern' && hasWords(`pattern.point.${name}`)) return setFault(t(`pattern.point.${name}`))
    if (wrong) return setFault(t(wrong, f.kind === 'number' ? { min: f.min ?? '−∞', max: f.max ?? '∞' } : {}))
    setPending(true)
    save(row, { [name]: entered }, t('undo.changed', { label }))
      .then(stop)
      .catch(({ message, details }: Fault) => setFault(details.Fields?.[name]?.join(' ') ?? message))
      .finally(() => setPending(false))
  }

  if (!draft)
    return may ? (
      <button type="button" className="cell-button" title={t('point.editCell', { label })} onClick={() => setDraft({ value: row[name] })}>
        <Cell of={point} field={name} row={row} />
      </button>
    ) : (
      <Cell of={point} field={name} row={row} />
    )
  return (
    <Tooltip open={Boolean(fault)} title={fault}>
      <span className="cell-input">
        <FieldInput
          field={f}
          name={`point.${name}`}
          value={draft.value}
          size="small"
          autoFocus
          status={fault ? 'error' : ''}
          disabled={pending}
          aria-label={label}
          onChange={(value) => {
            setFault(undefined)
            setDraft({ value })
            if (pick) keep(value)
          }}
          onBlur={() => (pick ? !pending && !fault && stop() : keep(draft.value))}
          onKeyDown={(event) => {
            if (event.key === 'Escape') stop()
            if (event.key === 'Enter' && !pick) keep(draft.value)
          }}
        />
      </span>
    </Tooltip>
  )
}
