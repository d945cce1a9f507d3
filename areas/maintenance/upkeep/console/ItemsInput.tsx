import { ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Form, Input, InputNumber, Select } from 'antd'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { point } from '../../../configuration/points/contract.ts'
import { type Item, most, valueTypes } from '../contract.ts'

type RowProps = {
  of: Item
  at: number
  project: number | undefined
  change: (next: Item) => void
  up: (() => void) | undefined
  remove: () => void
}
const Row = ({ of, at, project, change, up, remove }: RowProps) => {
  const t = useWords()
  const number = at + 1
  const set = (part: { [K in keyof Item]?: Item[K] | undefined }) =>
    change(Object.fromEntries(Object.entries({ ...of, ...part }).filter(([, value]) => value !== undefined)) as Item)
  const label = (word: string) => `${number}: ${t(word)}`
  const limits = of.ValueType === 2 || of.ValueType === 6
  return (
    <li className="upkeep-item">
      <Input
        value={of.ItemName}
        maxLength={60}
        placeholder={t('upkeep.item')}
        aria-label={label('upkeep.item')}
        onChange={({ target }) => set({ ItemName: target.value })}
      />
      <Select
        value={of.ValueType}
        aria-label={label('upkeep.kind')}
        options={valueTypes.map((value) => ({ value, label: t(`upkeep.kind.${value}`) }))}
        onChange={(ValueType) =>
          set({
            ValueType,
            Choices: undefined,
            ParaId: undefined,
            ...(ValueType === 2 || ValueType === 6 ? {} : { Min: undefined, Max: undefined, Unit: undefined }),
          })
        }
      />
      <Input
        className="upkeep-wide"
        value={of.Standard ?? ''}
        maxLength={200}
        placeholder={t('upkeep.standard')}
        aria-label={label('upkeep.standard')}
        onChange={({ target }) => set({ Standard: target.value || undefined })}
      />
      {of.ValueType === 4 && (
        <Select
          className="upkeep-wide"
          mode="tags"
          value={of.Choices ?? []}
          placeholder={t('upkeep.choices')}
          aria-label={label('upkeep.choices')}
          onChange={(Choices: string[]) => set({ Choices: Choices.map((one) => one.slice(0, 60)).slice(0, 20) })}
        />
      )}
      {of.ValueType === 6 && (
        <RefInput
          to={point}
          value={of.ParaId ?? null}
          where={{ ProjectId: project }}
          aria-label={label('upkeep.kind.6')}
          onChange={(id) => set({ ParaId: id ?? undefined })}
        />
      )}
      {limits &&
        (['Min', 'Max'] as const).map((name) => (
          <InputNumber
            key={name}
            value={of[name] ?? null}
            placeholder={t(`upkeep.${name}`)}
            aria-label={label(`upkeep.${name}`)}
            onChange={(value) => set({ [name]: value ?? undefined })}
          />
        ))}
      <span className="upkeep-flags upkeep-wide">
        <Checkbox checked={of.Required === 1} onChange={({ target }) => set({ Required: target.checked ? 1 : 0 })}>
          {t('upkeep.required')}
        </Checkbox>
        {of.ValueType !== 5 && (
          <Checkbox checked={of.NeedPhoto === 1} onChange={({ target }) => set({ NeedPhoto: target.checked ? 1 : 0 })}>
            {t('upkeep.needPhoto')}
          </Checkbox>
        )}
        <Button icon={<ArrowUpOutlined />} disabled={!up} aria-label={label('upkeep.up')} onClick={up} />
        <Button icon={<DeleteOutlined />} aria-label={label('upkeep.removeItem')} onClick={remove} />
      </span>
    </li>
  )
}

type Props = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
/** The checklist of a plan, in the order in which it is worked through. */
export const ItemsInput = ({ id, value, onChange }: Props) => {
  const t = useWords()
  const project = Form.useWatch<number | null>('ProjectId', { preserve: true }) ?? undefined
  const items = (value as Item[] | null) ?? []
  const set = (next: readonly Item[]) => onChange?.(next.length ? next : null)
  return (
    <div id={id}>
      <ol className="upkeep-items">
        {items.map((item, i) => (
          <Row
            // Items have nothing of their own that tells them apart.
            key={`${items.length} ${i}`}
            of={item}
            at={i}
            project={project}
            change={(next) => set(items.with(i, next))}
            up={i ? () => set(items.toSpliced(i - 1, 2, item, items[i - 1]!)) : undefined}
            remove={() => set(items.toSpliced(i, 1))}
          />
        ))}
      </ol>
      <Button
        icon={<PlusOutlined />}
        disabled={items.length >= most.items}
        onClick={() => set([...items, { ItemName: '', ValueType: 1, Required: 1 }])}
      >
        {t('upkeep.addItem')}
      </Button>
    </div>
  )
}
