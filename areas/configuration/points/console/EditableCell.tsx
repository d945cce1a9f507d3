import { Tooltip } from 'antd'
import { useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import { Cell, FieldInput } from '../../../../console/kernel/fields.tsx'
import type { Fault } from '../../../../console/session/request.ts'
import { Shape } from '../../../../console/theme/State.tsx'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { brokenRules } from '../../../../contract/rules.ts'
import { addressFaultOf, faultOf } from './columns.ts'
import { useUndoableChange } from './useUndoableChange.ts'

type Props = {
  of: Resource
  row: Shown<Resource>
  name: string
  may: boolean
  /** Checks addresses during input. */
  protocol?: number | undefined
}

/** A cell that turns into an input. Enter or blur saves, Esc cancels; errors show at the cell. */
export const EditableCell = ({ of: r, row, name, may, protocol }: Props) => {
  const t = useWords()
  const f = r.fields[name]!
  const save = useUndoableChange(r)
  const [pending, setPending] = useState(false)
  const [draft, setDraft] = useState<{ value: unknown }>()
  const [fault, setFault] = useState<string>()
  const label = `${t(`${r.name}.${name}`)}: ${row.ParaName}`
  const pick = f.kind === 'choice' || f.kind === 'flag'

  const typed = addressFaultOf(protocol, name, draft?.value)
  const misread = typed && t(typed.key, typed.values)
  const shownFault = fault ?? misread

  const stop = () => {
    setDraft(undefined)
    setFault(undefined)
  }
  const keep = (value: unknown) => {
    const entered = value === '' ? null : value
    if (entered === row[name]) return stop()
    const wrong = faultOf(f, entered)
    if (wrong === 'form.pattern' && hasWords(`pattern.${r.name}.${name}`)) return setFault(t(`pattern.${r.name}.${name}`))
    if (misread) return setFault(misread)
    if (wrong) return setFault(t(wrong, f.kind === 'number' ? { min: f.min ?? '−∞', max: f.max ?? '∞' } : {}))
    setPending(true)
    save(row, { [name]: entered }, t('undo.changed', { label }))
      .then(stop)
      .catch(({ message, details }: Fault) => setFault(details.Fields?.[name]?.join(' ') ?? message))
      .finally(() => setPending(false))
  }

  const isOwn = Array.isArray(row.Overrides) && row.Overrides.includes(name)
  const value = isOwn ? (
    <span className="cell-own" title={t('point.override')}>
      <Cell of={r} field={name} row={row} />
      <span className="sr-only"> {t('point.override')}</span>
    </span>
  ) : (
    <Cell of={r} field={name} row={row} />
  )
  const found = brokenRules([...(r.rules ?? []), ...(r.warnings ?? [])], row, Object.keys(r.fields)).find(({ field }) => field === name)
  const warning = found && t(`fault.field.${found.rule}`)
  const shown = warning ? (
    <span title={warning}>
      <Shape is="warning" />
      <span className="sr-only">{warning}</span> {value}
    </span>
  ) : (
    value
  )
  if (!draft)
    return may ? (
      <button type="button" className="cell-button" title={t('point.editCell', { label })} onClick={() => setDraft({ value: row[name] })}>
        {shown}
      </button>
    ) : (
      shown
    )
  return (
    <Tooltip open={Boolean(shownFault)} title={shownFault}>
      <span className="cell-input">
        <FieldInput
          field={f}
          name={`${r.name}.${name}`}
          value={draft.value}
          size="small"
          autoFocus
          status={shownFault ? 'error' : ''}
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
