import { ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Form, Input, InputNumber, Select } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import { type Item, isNumeric, most, valueTypes } from '../contract.ts'
import { PointSelect } from './PointSelect.tsx'
import './checklist.css'

type RowProps = {
  of: Item
  at: number
  project: number | undefined
  kinds: readonly Item['ValueType'][]
  change: (next: Item) => void
  up: (() => void) | undefined
  remove: () => void
}
const Row = ({ of, at, project, kinds, change, up, remove }: RowProps) => {
  const t = useWords()
  const number = at + 1
  const set = (part: { [K in keyof Item]?: Item[K] | undefined }) =>
    change(Object.fromEntries(Object.entries({ ...of, ...part }).filter(([, value]) => value !== undefined)) as Item)
  const label = (word: string) => `${number}: ${t(word)}`
  const limits = isNumeric(of)
  return (
    <li className="checklist-item">
      <Input
        value={of.ItemName}
        maxLength={60}
        placeholder={t('checklist.item')}
        aria-label={label('checklist.item')}
        onChange={({ target }) => set({ ItemName: target.value })}
      />
      <Select
        value={of.ValueType}
        aria-label={label('checklist.kind')}
        options={kinds.map((value) => ({ value, label: t(`checklist.kind.${value}`) }))}
        onChange={(ValueType) =>
          set({
            ValueType,
            Choices: undefined,
            ParaId: undefined,
            NeedPhoto: undefined,
            ...(isNumeric({ ValueType }) ? {} : { Min: undefined, Max: undefined, Unit: undefined }),
          })
        }
      />
      <Input
        className="checklist-wide"
        value={of.Standard ?? ''}
        maxLength={200}
        placeholder={t('checklist.standard')}
        aria-label={label('checklist.standard')}
        onChange={({ target }) => set({ Standard: target.value || undefined })}
      />
      {of.ValueType === 4 && (
        <Select
          className="checklist-wide"
          mode="tags"
          value={of.Choices ?? []}
          placeholder={t('checklist.choices')}
          aria-label={label('checklist.choices')}
          onChange={(Choices: string[]) => set({ Choices: Choices.map((one) => one.slice(0, 60)).slice(0, 20) })}
        />
      )}
      {of.ValueType === 6 && (
        <PointSelect
          project={project}
          value={of.ParaId ?? null}
          aria-label={label('checklist.kind.6')}
          onChange={(id) => set({ ParaId: id ?? undefined })}
        />
      )}
      {limits &&
        (['Min', 'Max'] as const).map((name) => (
          <InputNumber
            key={name}
            value={of[name] ?? null}
            placeholder={t(`checklist.${name}`)}
            prefix={name === 'Min' ? '≥' : '≤'}
            {...(of.Unit && { suffix: of.Unit })}
            aria-label={label(`checklist.${name}`)}
            onChange={(value) => set({ [name]: value ?? undefined })}
          />
        ))}
      {limits && (
        <Input
          value={of.Unit ?? ''}
          maxLength={20}
          placeholder={t('checklist.unit')}
          aria-label={label('checklist.unit')}
          onChange={({ target }) => set({ Unit: target.value || undefined })}
        />
      )}
      <span className="checklist-flags checklist-wide">
        <Checkbox checked={of.Required === 1} onChange={({ target }) => set({ Required: target.checked ? 1 : 0 })}>
          {t('checklist.required')}
        </Checkbox>
        {of.ValueType !== 5 && of.ValueType !== 7 && (
          <Checkbox checked={of.NeedPhoto === 1} onChange={({ target }) => set({ NeedPhoto: target.checked ? 1 : 0 })}>
            {t('checklist.needPhoto')}
          </Checkbox>
        )}
        <Button icon={<ArrowUpOutlined />} disabled={!up} aria-label={label('checklist.up')} onClick={up} />
        <Button icon={<DeleteOutlined />} aria-label={label('checklist.removeItem')} onClick={remove} />
      </span>
    </li>
  )
}

type Props = {
  id?: string
  value?: unknown
  onChange?: (value: unknown) => void
  /** Project of the points that items may use, if the form has no project field. */
  project?: number | undefined
  kinds?: readonly Item['ValueType'][]
}
/** Editor for the checklist of a plan or an order, in working order. */
export const ItemsInput = ({ id, value, onChange, project: given, kinds = valueTypes }: Props) => {
  const t = useWords()
  const ofForm = Form.useWatch<number | null>('ProjectId', { preserve: true }) ?? undefined
  const project = given ?? ofForm
  const items = (value as Item[] | null) ?? []
  const set = (next: readonly Item[]) => onChange?.(next.length ? next : null)
  return (
    <div id={id}>
      <ol className="checklist-items">
        {items.map((item, i) => (
          <Row
            // Items have no stable key.
            key={`${items.length} ${i}`}
            of={item}
            at={i}
            project={project}
            kinds={kinds}
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
        {t('checklist.addItem')}
      </Button>
    </div>
  )
}
