import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber, Select } from 'antd'
import { useWords } from '../../../../../console/words/words.ts'
import { tokens } from '../../../../../contract/picture/colour.ts'
import type { Binding } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'

type Value = string | number
type Props = { binding: Binding; symbols: ReadonlyMap<string, PictureSymbol>; isImage: boolean; change: (next: Binding) => void }

/** Result of a range or state: a colour, a symbol, a text or a number. */
const Outcome = ({
  binding: { to },
  label,
  value,
  symbols,
  isImage,
  put,
}: Omit<Props, 'binding' | 'change'> & { binding: Binding; label: string; value: Value; put: (is: Value) => void }) => {
  const t = useWords()
  const options =
    to === 'fill' || to === 'stroke'
      ? ['none', ...tokens].map((one) => ({ value: one, label: t(`edit.colour.${one}`) }))
      : to === 'picture' && !isImage
        ? [...symbols.keys()].map((one) => ({ value: one, label: t(`symbol.${one}`) }))
        : undefined
  if (options)
    return (
      <Select
        aria-label={label}
        showSearch={{ optionFilterProp: 'label' }}
        value={String(value)}
        options={options}
        onChange={(next: string) => put(next)}
      />
    )
  if (to === 'text' || to === 'picture')
    return <Input aria-label={label} maxLength={200} value={value} onChange={(event) => put(event.target.value)} />
  return <InputNumber aria-label={label} value={typeof value === 'number' ? value : 0} onChange={(next) => put(next ?? 0)} />
}

const firstOf = ({ to }: Binding): Value => (to === 'fill' || to === 'stroke' ? 'alarm' : to === 'text' || to === 'picture' ? '' : 1)

/** Mapping of a value to the driven property: direct, by ranges, or by states. */
export const Mapping = ({ binding, symbols, isImage, change }: Props) => {
  const t = useWords()
  const { ranges: _, states: __, from: _from, onto: _onto, ...plain } = binding
  const by = binding.ranges ? 'ranges' : binding.states ? 'states' : 'value'
  const choose = (next: 'value' | 'ranges' | 'states') => {
    if (next === 'value') return change(plain)
    if (next === 'states') return change({ ...plain, states: [{ at: 1, is: firstOf(binding) }] })
    change({
      ...plain,
      ranges: [
        { below: 50, is: firstOf(binding) },
        { below: null, is: firstOf(binding) },
      ],
    })
  }
  const ranges = binding.ranges ?? []
  const states = binding.states ?? []
  const without = <T,>(rows: readonly T[], at: number) => rows.filter((_row, i) => i !== at)
  const withRow = <T,>(rows: readonly T[], at: number, more: Partial<T>) => rows.map((row, i) => (i === at ? { ...row, ...more } : row))
  const remove = (label: string, run: () => void) => (
    <Button type="text" size="small" icon={<DeleteOutlined />} aria-label={label} onClick={run} />
  )
  return (
    <div className="edit-mapping">
      <Select
        size="small"
        aria-label={t('edit.by', { what: t(`edit.drive.${binding.to}`) })}
        value={by}
        options={(['value', 'ranges', 'states'] as const).map((value) => ({ value, label: t(`edit.by.${value}`) }))}
        onChange={choose}
      />
      {ranges.map(({ below, is }, i) => (
        <div key={`${i} ${ranges.length}`} className="edit-mapping-row">
          {below === null ? (
            <span className="soft">{t('edit.otherwise')}</span>
          ) : (
            <InputNumber
              aria-label={t('edit.below')}
              prefix="<"
              value={below}
              onChange={(next) => next !== null && change({ ...binding, ranges: withRow(ranges, i, { below: next }) })}
            />
          )}
          <Outcome
            {...{ binding, symbols, isImage }}
            label={t('edit.becomes')}
            value={is}
            put={(next) => change({ ...binding, ranges: withRow(ranges, i, { is: next }) })}
          />
          {ranges.length > 1 && remove(t('edit.by.remove'), () => change({ ...binding, ranges: without(ranges, i) }))}
        </div>
      ))}
      {states.map(({ at, is }, i) => (
        <div key={`${i} ${states.length}`} className="edit-mapping-row">
          <InputNumber
            aria-label={t('edit.at')}
            prefix="="
            value={at}
            onChange={(next) => next !== null && change({ ...binding, states: withRow(states, i, { at: next }) })}
          />
          <Outcome
            {...{ binding, symbols, isImage }}
            label={t('edit.becomes')}
            value={is}
            put={(next) => change({ ...binding, states: withRow(states, i, { is: next }) })}
          />
          {states.length > 1 && remove(t('edit.by.remove'), () => change({ ...binding, states: without(states, i) }))}
        </div>
      ))}
      {by !== 'value' && (by === 'ranges' ? ranges.length < 20 : states.length < 50) && (
        <Button
          size="small"
          icon={<PlusOutlined />}
          onClick={() =>
            by === 'ranges'
              ? change({ ...binding, ranges: [{ below: (ranges[0]?.below ?? 50) - 10, is: firstOf(binding) }, ...ranges] })
              : change({ ...binding, states: [...states, { at: (states.at(-1)?.at ?? 0) + 1, is: firstOf(binding) }] })
          }
        >
          {t('edit.by.add')}
        </Button>
      )}
    </div>
  )
}
