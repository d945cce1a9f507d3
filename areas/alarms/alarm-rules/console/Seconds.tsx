import { InputNumber, Select } from 'antd'
import { useWords } from '../../../../console/words/words.ts'

const units = [1, 60, 3600, 86_400] as const

/** A duration, in the largest unit that divides it. */
export const Seconds = ({
  value,
  onChange,
  label,
  fault,
}: {
  value: number
  onChange: (v: number) => void
  label: string
  fault?: string | undefined
}) => {
  const t = useWords()
  const unit = units.findLast((u) => value % u === 0 && value >= u) ?? 1
  return (
    <span className="rule-seconds">
      <InputNumber
        min={1}
        max={365}
        precision={0}
        value={value / unit}
        aria-label={label}
        {...(fault ? { status: 'error' as const } : {})}
        onChange={(n) => onChange((n ?? 1) * unit)}
        style={{ width: 72 }}
      />
      <Select
        value={unit}
        aria-label={t('rules.unit')}
        onChange={(next) => onChange((value / unit) * next)}
        options={units.map((u) => ({ value: u, label: t(`rules.unit.${u}`) }))}
        popupMatchSelectWidth={false}
      />
    </span>
  )
}
