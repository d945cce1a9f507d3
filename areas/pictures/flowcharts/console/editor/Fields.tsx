import { Checkbox, Form, Input, InputNumber, Select } from 'antd'
import { useWords, type Words } from '../../../../../console/words/words.ts'
import { tokens } from '../../../../../contract/picture/colour.ts'
import { type Item, type Kind, spans } from '../../../../../contract/picture/scene.ts'
import { set } from './changes.ts'
import type { Editor } from './useEditor.ts'

type Field = { name: string; of: readonly Kind[]; only?: (item: Item) => boolean } & (
  | { input: 'number'; min?: number; max?: number; step?: number; usual?: number }
  | { input: 'colour' | 'text' | 'flag'; most?: number }
  | { input: 'choice'; values: readonly (string | number)[] }
)
const parts: readonly Kind[] = ['trend', 'table', 'alarms', 'clock', 'input']
const placed: readonly Kind[] = ['symbol', 'shape', 'text', 'value', 'indicator', 'group', 'image', 'view', ...parts]
/** Item properties besides the content, in panel order. Words at `edit.<name>`. */
const fields: readonly Field[] = [
  { name: 'x', of: placed, input: 'number' },
  { name: 'y', of: placed, input: 'number' },
  { name: 'w', of: placed, input: 'number', min: 0 },
  { name: 'h', of: placed, input: 'number', min: 0 },
  { name: 'rotate', of: placed, input: 'number', min: -360, max: 360, usual: 0 },
  { name: 'opacity', of: [...placed, 'pipe'], input: 'number', min: 0, max: 1, step: 0.1, usual: 1 },
  { name: 'size', of: ['text', 'value', 'indicator', ...parts], input: 'number', min: 4, max: 400 },
  { name: 'digits', of: ['value'], input: 'number', min: 0, max: 10 },
  { name: 'unit', of: ['value'], input: 'text', most: 20 },
  { name: 'anchor', of: ['text', 'value', 'clock'], input: 'choice', values: ['start', 'middle', 'end'] },
  { name: 'weight', of: ['text'], input: 'choice', values: [400, 600] },
  {
    name: 'span',
    of: ['trend', 'indicator'],
    input: 'choice',
    values: spans,
    only: (item) => item.kind !== 'indicator' || item.look === 'spark',
  },
  { name: 'show', of: ['clock'], input: 'choice', values: ['time', 'date', 'both'] },
  { name: 'low', of: ['indicator', 'trend', 'input'], input: 'number' },
  { name: 'high', of: ['indicator', 'trend', 'input'], input: 'number' },
  { name: 'line', of: ['pipe'], input: 'choice', values: ['pipe', 'signal', 'power'] },
  { name: 'fill', of: ['symbol', 'shape', 'text', 'pipe', 'clock'], input: 'colour' },
  { name: 'stroke', of: ['symbol', 'shape', 'pipe'], input: 'colour' },
  { name: 'thickness', of: ['symbol', 'shape', 'pipe'], input: 'number', min: 0, max: 100 },
  { name: 'radius', of: ['shape'], input: 'number', min: 0, max: 1000 },
  { name: 'dash', of: ['shape'], input: 'flag' },
]
/** Scene fields with a different name in the panel. */
const keys: Record<string, string> = { thickness: 'width', anchor: 'align' }
const keyOf = ({ name }: Field) => keys[name] ?? name

const mixed = Symbol('mixed')
/** Common value of all items in this field. */
const shared = (items: readonly Item[], key: string): unknown => {
  const [first, ...rest] = items.map((item) => (item as Record<string, unknown>)[key])
  return rest.every((value) => value === first) ? first : mixed
}

type InputProps = { field: Field; value: unknown; label: string; change: (value: unknown) => void; t: Words }
const FieldInput = ({ field, value, label, change, t }: InputProps) => {
  const hint = value === mixed ? t('edit.mixed') : undefined
  const own = value === mixed ? undefined : value
  switch (field.input) {
    case 'number':
      return (
        <InputNumber
          aria-label={label}
          min={field.min ?? -100_000}
          max={field.max ?? 100_000}
          step={field.step ?? 1}
          value={(own as number | undefined) ?? (value === mixed ? null : (field.usual ?? null))}
          placeholder={hint ?? t('edit.usual')}
          onChange={(next: number | null) => (next === null ? field.usual === undefined && change(undefined) : change(next))}
        />
      )
    case 'text':
      return (
        <Input
          aria-label={label}
          maxLength={field.most ?? 50}
          value={(own as string | undefined) ?? ''}
          placeholder={hint ?? t('edit.usual')}
          onChange={(event) => change(event.target.value || undefined)}
        />
      )
    case 'flag':
      return (
        <Checkbox checked={own === true} indeterminate={value === mixed} onChange={(event) => change(event.target.checked || undefined)}>
          {label}
        </Checkbox>
      )
    case 'colour':
    case 'choice':
      return (
        <Select
          aria-label={label}
          allowClear
          value={(own as string | number | undefined) ?? null}
          placeholder={hint ?? t('edit.usual')}
          options={
            field.input === 'choice'
              ? field.values.map((one) => ({ value: one, label: t(field.name === 'span' ? `span.${one}` : `edit.${field.name}.${one}`) }))
              : ['none', ...tokens].map((one) => ({ value: one, label: t(`edit.colour.${one}`) }))
          }
          onChange={(next: string | number | null) => change(next ?? undefined)}
        />
      )
  }
}

/** Kinds without a default size. */
const sized: readonly Kind[] = ['text', 'value', 'clock']
const required = new Set(['x', 'y', 'w', 'h'])
/** Common properties of the selected items, changed for all of them. */
export const Fields = ({ editor, items }: { editor: Editor; items: readonly Item[] }) => {
  const t = useWords()
  const ids = new Set(items.map(({ id }) => id))
  const common = fields.filter(({ of, only }) => items.every((item) => of.includes(item.kind) && (only?.(item) ?? true)))
  return (
    <div className="edit-numbers">
      {common.map((field) => {
        const key = keyOf(field)
        const label = t(`edit.${field.name}`)
        const change = (value: unknown) => {
          if (
            value === undefined &&
            (required.has(key) ||
              (key === 'span' && items.some(({ kind }) => kind === 'trend')) ||
              (key === 'size' && items.some(({ kind }) => sized.includes(kind))))
          )
            return
          editor.change('set', (now) => set(now, ids, { [key]: value }), true)
        }
        const input = <FieldInput {...{ field, label, change, t }} value={shared(items, key)} />
        return (
          <Form.Item key={field.name} {...(field.input === 'flag' ? {} : { label })}>
            {input}
          </Form.Item>
        )
      })}
    </div>
  )
}
