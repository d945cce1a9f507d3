import { InputNumber, Radio, Select } from 'antd'
import { type CronPart, cronParts } from '../../contract/cron.ts'
import { language, useWords } from '../words/words.ts'
import { type Choice, kindsOf, readChoice, startOf, writeChoice } from './choice.ts'

/** Names of months and weekdays come from the language itself; the first of November 2026 is a Sunday. */
const nameOf = (part: CronPart, value: number): string => {
  if (part === 'weekday') return new Intl.DateTimeFormat(language(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 10, value))
  if (part === 'month') return new Intl.DateTimeFormat(language(), { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, value - 1, 1))
  return String(value)
}

type ValueProps = { part: CronPart; label: string; value: number; onChange: (value: number) => void }

const ValueInput = ({ part, label, value, onChange }: ValueProps) => {
  const [min, max] = cronParts[part]
  return (
    <span className="cron-value">
      {label}
      {part === 'weekday' || part === 'month' ? (
        <Select
          aria-label={label}
          value={value}
          onChange={onChange}
          options={Array.from({ length: max - min + 1 }, (_, i) => ({ value: min + i, label: nameOf(part, min + i) }))}
          popupMatchSelectWidth={false}
        />
      ) : (
        <InputNumber aria-label={label} min={min} max={max} precision={0} value={value} onChange={(v) => v !== null && onChange(v)} />
      )}
    </span>
  )
}

/** Controls for the selected kind; kinds without values have none. */
const Values = ({ part, choice, onChange }: { part: CronPart; choice: Choice; onChange: (choice: Choice) => void }) => {
  const t = useWords()
  const [min, max] = cronParts[part]
  switch (choice.kind) {
    case 'range':
      return (
        <>
          <ValueInput part={part} label={t('cron.from')} value={choice.from} onChange={(from) => onChange({ ...choice, from })} />
          <ValueInput part={part} label={t('cron.to')} value={choice.to} onChange={(to) => onChange({ ...choice, to })} />
        </>
      )
    case 'step':
      return (
        <>
          <ValueInput part={part} label={t('cron.from')} value={choice.from} onChange={(from) => onChange({ ...choice, from })} />
          <span className="cron-value">
            {t('cron.interval')}
            <InputNumber
              aria-label={t('cron.interval')}
              min={1}
              max={max - min + (min ? 1 : 0)}
              precision={0}
              value={choice.every}
              onChange={(every) => every !== null && onChange({ ...choice, every })}
            />
          </span>
        </>
      )
    case 'some':
      return (
        <Select
          mode="multiple"
          aria-label={t('cron.kind.some')}
          className="cron-some"
          value={choice.values}
          // The last value cannot be removed: a part must not be empty.
          onChange={(values) => values.length && onChange({ ...choice, values })}
          options={Array.from({ length: max - min + 1 }, (_, i) => ({ value: min + i, label: nameOf(part, min + i) }))}
        />
      )
    case 'nearest':
      return <ValueInput part={part} label={t('cron.part.day')} value={choice.day} onChange={(day) => onChange({ ...choice, day })} />
    case 'lastOf':
    case 'nth':
      return (
        <>
          <ValueInput
            part={part}
            label={t('cron.part.weekday')}
            value={choice.weekday}
            onChange={(weekday) => onChange({ ...choice, weekday })}
          />
          {choice.kind === 'nth' && (
            <span className="cron-value">
              {t('cron.which')}
              <InputNumber
                aria-label={t('cron.which')}
                min={1}
                max={5}
                precision={0}
                value={choice.nth}
                onChange={(nth) => nth !== null && onChange({ ...choice, nth })}
              />
            </span>
          )}
        </>
      )
    default:
      return null
  }
}

/** One part of an expression: its kind, and its values. */
export const PartTab = ({ part, text, onChange }: { part: CronPart; text: string; onChange: (text: string) => void }) => {
  const t = useWords()
  const choice = readChoice(part, text)
  const kinds = choice.kind === 'raw' ? [...kindsOf(part), 'raw' as const] : kindsOf(part)
  return (
    <div className="cron-part">
      <Radio.Group
        vertical
        aria-label={t(`cron.part.${part}`)}
        value={choice.kind}
        onChange={(e) => onChange(writeChoice(startOf(part, e.target.value)))}
        options={kinds.map((kind) => ({ value: kind, label: t(`cron.kind.${kind}`) }))}
      />
      <div className="cron-values">
        <Values part={part} choice={choice} onChange={(next) => onChange(writeChoice(next))} />
      </div>
    </div>
  )
}
