import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { type Charge, mostPrice, type Tax, type Tier } from '../prices.ts'
import { type InputProps, listOf, usePriceUnit } from './inputs.ts'
import './tariffs.css'

type LinesProps<T> = InputProps & {
  add: string
  fresh: (lines: readonly T[]) => readonly T[]
  line: (of: T, set: (part: Partial<T>) => void, at: number) => ReactNode
}
/** Lines that are added, changed and removed. */
const Lines = <T,>({ id, value, onChange, add, fresh, line }: LinesProps<T>) => {
  const t = useWords()
  const lines = listOf<T>(value)
  return (
    <div id={id}>
      {lines.map((of, at) => (
        <div key={at} className="tariff-row">
          {line(of, (part) => onChange?.(lines.map((old, i) => (i === at ? { ...old, ...part } : old))), at)}
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('tariff.removeLine', { line: at + 1 })}
            onClick={() => onChange?.(lines.filter((_, i) => i !== at))}
          />
        </div>
      ))}
      <Button type="dashed" icon={<PlusOutlined />} onClick={() => onChange?.(fresh(lines))}>
        {t(add)}
      </Button>
    </div>
  )
}

export const TiersInput = (props: InputProps) => {
  const t = useWords()
  const { unit, currency } = usePriceUnit()
  const count = listOf(props.value).length
  // A new tier goes below the last one, which has no upper end.
  const fresh = (tiers: readonly Tier[]): Tier[] =>
    tiers.length ? tiers.toSpliced(-1, 0, { UpTo: (tiers.at(-2)?.UpTo ?? 0) + 100, Price: 0 }) : [{ UpTo: null, Price: 0 }]
  return (
    <Lines<Tier>
      {...props}
      add="tariff.addTier"
      fresh={fresh}
      line={({ UpTo, Price }, set, at) => (
        <>
          {at === count - 1 && UpTo === null ? (
            <span className="soft">{t('tariff.above')}</span>
          ) : (
            <InputNumber
              value={UpTo}
              min={0}
              suffix={unit}
              aria-label={t('tariff.upTo', { unit })}
              placeholder={t('tariff.upTo', { unit })}
              onChange={(next) => set({ UpTo: next })}
            />
          )}
          <InputNumber
            value={Price}
            min={0}
            max={mostPrice}
            suffix={<span className="faint">{`${currency}/${unit}`}</span>}
            aria-label={t('tariff.unitPrice', { currency, unit })}
            onChange={(next) => set({ Price: next ?? 0 })}
          />
        </>
      )}
    />
  )
}

export const ChargesInput = (props: InputProps) => {
  const t = useWords()
  const { currency } = usePriceUnit()
  return (
    <Lines<Charge>
      {...props}
      add="tariff.addCharge"
      fresh={(charges) => [...charges, { Name: '', Amount: 0, Per: 1 }]}
      line={({ Name, Amount, Per }, set) => (
        <>
          <Input
            value={Name}
            maxLength={60}
            placeholder={t('tariff.chargeName')}
            aria-label={t('tariff.chargeName')}
            onChange={({ target }) => set({ Name: target.value })}
          />
          <InputNumber
            value={Amount}
            suffix={<span className="faint">{currency}</span>}
            aria-label={t('tariff.amount', { currency })}
            onChange={(next) => set({ Amount: next ?? 0 })}
          />
          <Select
            value={Per}
            aria-label={t('tariff.per')}
            options={([1, 2] as const).map((value) => ({ value, label: t(`tariff.per.${value}`) }))}
            onChange={(next) => set({ Per: next })}
          />
        </>
      )}
    />
  )
}

export const TaxesInput = (props: InputProps) => {
  const t = useWords()
  return (
    <Lines<Tax>
      {...props}
      add="tariff.addTax"
      fresh={(taxes) => [...taxes, { Name: '', Percent: 0 }]}
      line={({ Name, Percent, OnTaxes }, set, at) => (
        <>
          <Input
            value={Name}
            maxLength={60}
            placeholder={t('tariff.taxName')}
            aria-label={t('tariff.taxName')}
            onChange={({ target }) => set({ Name: target.value })}
          />
          <InputNumber
            value={Percent}
            min={0}
            max={100}
            suffix="%"
            aria-label={t('tariff.percent')}
            onChange={(next) => set({ Percent: next ?? 0 })}
          />
          {at > 0 && (
            <Checkbox checked={OnTaxes === 1} onChange={({ target }) => set({ OnTaxes: target.checked ? 1 : 0 })}>
              {t('tariff.onTaxes')}
            </Checkbox>
          )}
        </>
      )}
    />
  )
}
