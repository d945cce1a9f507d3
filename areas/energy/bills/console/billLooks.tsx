import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber, Select } from 'antd'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import { currency } from '../../../../console/session/session.ts'
import { moneyText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { DayInput } from '../../tariffs/console/DayInput.tsx'
import { type BillLine, energyLine, lineKinds, taxLine } from '../contract.ts'
import './bills.css'

type InputProps = { id?: string; value?: unknown; onChange?: (value: unknown) => void }

const fresh: BillLine = { Kind: energyLine, Level: 0, Quantity: null, Amount: 0 }

/** The lines of the invoice as it prints them, and their sum. */
const LinesInput = ({ id, value, onChange }: InputProps) => {
  const t = useWords()
  const lines = Array.isArray(value) ? (value as readonly BillLine[]) : []
  const set = (at: number, part: Partial<BillLine>) => onChange?.(lines.map((line, i) => (i === at ? { ...line, ...part } : line)))
  const sum = lines.reduce((total, { Amount }) => total + Math.round(Amount * 1e4), 0) / 1e4
  return (
    <div id={id} className="bill-lines">
      {lines.map(({ Kind, Level, Name, Quantity, Amount }, at) => (
        <div key={at} className="bill-line">
          <Select
            value={Kind}
            aria-label={t('bill.kind')}
            options={lineKinds.map((kind) => ({ value: kind, label: t(`bill.kind.${kind}`) }))}
            onChange={(next) => set(at, { Kind: next, ...(next === energyLine ? { Level: 0 } : { Level: 0, Quantity: null }) })}
          />
          {Kind === energyLine ? (
            <Select
              value={Level ?? 0}
              aria-label={t('bill.level')}
              options={[0, 1, 2, 3, 4, 5].map((level) => ({ value: level, label: t(level ? `tariff.level.${level}` : 'bill.level.0') }))}
              onChange={(next) => set(at, { Level: next })}
            />
          ) : (
            <Input
              value={Name ?? ''}
              maxLength={60}
              placeholder={t('bill.name')}
              aria-label={t('bill.name')}
              onChange={({ target }) => set(at, { Name: target.value })}
            />
          )}
          <InputNumber
            value={Quantity ?? null}
            min={0}
            disabled={Kind === taxLine}
            placeholder={t('bill.amountOf')}
            aria-label={t('bill.amountOf')}
            onChange={(next) => set(at, { Quantity: next })}
          />
          <InputNumber
            value={Amount}
            suffix={<span className="faint">{currency()}</span>}
            aria-label={t('bill.money', { currency: currency() })}
            onChange={(next) => set(at, { Amount: next ?? 0 })}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('bill.removeLine', { line: at + 1 })}
            onClick={() => onChange?.(lines.filter((_, i) => i !== at))}
          />
        </div>
      ))}
      <Button type="dashed" icon={<PlusOutlined />} onClick={() => onChange?.([...lines, fresh])}>
        {t('bill.addLine')}
      </Button>
      {lines.length > 0 && <p className="figures">{t('bill.sum', { sum: moneyText(sum, currency(), language()) })}</p>}
    </div>
  )
}

export const inputs: FormProps['inputs'] = { StartDate: DayInput, EndDate: DayInput, BillLines: LinesInput }
