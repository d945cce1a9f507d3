import { Select } from 'antd'
import type { Field } from '../../../contract/field.ts'
import { resourceNamed } from '../../../contract/registry.ts'
import type { Resource } from '../../../contract/resource.ts'
import { useWords, type Words } from '../../words/words.ts'
import { choices } from '../fields.tsx'
import { DateField } from './DateField.tsx'
import { DialogField } from './DialogField.tsx'
import { searchKind } from './searchKind.ts'
import { SuggestField, TextField } from './TextField.tsx'
import { TreeField } from './TreeField.tsx'

type Props = {
  of: Resource
  field: Field
  name: string
  label: string
  value: string | undefined
  onChange: (value: string | number | null) => void
}

const yesAndNo = ({ inverted }: { inverted?: boolean }, t: Words) =>
  [1, 0].map((flag) => ({ value: inverted ? 1 - flag : flag, label: t(flag ? 'flag.yes' : 'flag.no') }))

/** The filter input of each search kind. */
export const SearchField = ({ of: r, field: f, name, label, value: chosen, onChange }: Props) => {
  const t = useWords()
  const value = chosen === undefined ? undefined : Number.isNaN(Number(chosen)) ? chosen : Number(chosen)
  const to = f.kind === 'ref' ? resourceNamed(f.to) : undefined
  const picked = { label, value: value as number | undefined, onChange }
  switch (searchKind(f, resourceNamed)) {
    case 'dates':
      return <DateField label={label} value={chosen} onChange={onChange} />
    case 'tree':
      return <TreeField to={to!} {...picked} />
    case 'dialog':
      return to ? <DialogField to={to} {...picked} /> : null
    case 'autocomplete':
      return <SuggestField of={r} field={name} label={label} value={chosen} onChange={onChange} />
    case 'input':
      return <TextField label={label} value={chosen} onChange={onChange} />
    case 'select':
      return (
        <Select
          allowClear
          value={value}
          onChange={(next?: string | number | null) => onChange(next ?? null)}
          options={f.kind === 'flag' ? yesAndNo(f, t) : choices(f as Field & { kind: 'choice' }, `${r.name}.${name}`, t)}
          popupMatchSelectWidth={false}
          style={{ width: '100%', minWidth: 110 }}
          placeholder={label}
          aria-label={label}
        />
      )
  }
}
