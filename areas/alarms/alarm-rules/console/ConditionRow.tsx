import { DeleteOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber, Select } from 'antd'
import { language, useWords } from '../../../../console/words/words.ts'
import { stateText } from '../../../../contract/point-value.ts'
import { fieldsNeeded, type RuleCondition } from '../alarm-configure.ts'
import { hasDeadband, isBool, operatorsOf, settled, triggersOf } from './draft.ts'
import { Fault } from './Field.tsx'
import { PointPicker } from './PointPicker.tsx'
import { Seconds } from './Seconds.tsx'
import { type Names, sentenceOf, statesOf } from './summary.ts'
import type { Points } from './usePoints.ts'

type Props = {
  value: RuleCondition
  onChange: (value: RuleCondition) => void
  remove: (() => void) | undefined
  /** Undefined in a template, where a point is only a name. */
  points: Points | undefined
  /** Project of an existing rule. */
  project?: number | undefined
  names?: Names
  /** Message of a field, by its name. */
  fault: (name: string) => string | undefined
}

/** Japanese puts the operator after the value: 値が 3.9 より大きい. */
const operatorLast = () => language() === 'ja'

type ValueProps = Pick<Props, 'value' | 'names' | 'fault'> & {
  name: 'ParamValue' | 'ParamValue2' | 'Deadband'
  label: string
  change: (part: Partial<RuleCondition>) => void
}
/** A limit as a number, or as one of the two states of a Bool. */
const ValueInput = ({ value: c, names = {}, fault, name, label, change }: ValueProps) => {
  const t = useWords()
  if (isBool(c) && name === 'ParamValue')
    return (
      <Select
        value={c.ParamValue ?? 1}
        aria-label={label}
        onChange={(v) => change({ ParamValue: v })}
        options={[0, 1].map((v) => ({ value: v, label: stateText(v, statesOf(c, names), t) }))}
      />
    )
  return (
    <InputNumber
      value={c[name] ?? null}
      aria-label={label}
      {...(name === 'Deadband' ? {} : { placeholder: label })}
      {...(fault(name) ? { status: 'error' as const } : {})}
      onChange={(v) => change({ [name]: v })}
      style={{ width: 120 }}
    />
  )
}

/** One condition as a sentence from left to right, with the current values of its points. */
export const ConditionRow = ({ value: c, onChange, remove, points, project, names = {}, fault }: Props) => {
  const t = useWords()
  const change = (part: Partial<RuleCondition>) => onChange(settled({ ...c, ...part }))
  const needs = fieldsNeeded(c)
  const number = (name: ValueProps['name'], label: string) => (
    <ValueInput value={c} names={names} fault={fault} name={name} label={label} change={change} />
  )
  const checked = ['TriggerStyle', 'TriggerCondition', 'Duration', 'Frequency', 'OperateSymbol', 'ParamValue', 'ParamValue2', 'Deadband']
  const faults = [...new Set(checked.flatMap((name) => fault(name) ?? []))]
  const params = Object.keys(c.AlarmParams).flatMap((i) => fault(`AlarmParams.${i}.ParaId`) ?? fault(`AlarmParams.${i}.ParaName`) ?? [])
  const selected = fault('DeviceSelection.DeviceIds') ?? fault('DeviceSelection.ModelId') ?? fault('DeviceSelection.ProjectId')
  const operator = needs.includes('OperateSymbol') && (
    <Select
      value={c.OperateSymbol ?? 3}
      aria-label={t('rules.operator')}
      onChange={(v) => change({ OperateSymbol: v as 1 })}
      options={operatorsOf(c).map((v) => ({ value: v, label: t(`rules.op.${v}`) }))}
      popupMatchSelectWidth={false}
    />
  )
  return (
    <section className="rule-condition" aria-label={sentenceOf(c, t, names)}>
      {points ? (
        <PointPicker value={c} change={change} points={points} project={project} fault={selected ?? fault('AlarmParams') ?? params[0]} />
      ) : (
        <Input
          value={c.AlarmParams[0]?.ParaName ?? ''}
          maxLength={50}
          placeholder={t('rules.pointName')}
          aria-label={t('rules.pointName')}
          onChange={(e) => change({ AlarmParams: [{ ...c.AlarmParams[0], ParaName: e.target.value || null }] })}
          style={{ maxWidth: 320 }}
        />
      )}
      <div className="rule-words">
        <Select
          value={c.TriggerStyle}
          aria-label={t('rules.style')}
          onChange={(TriggerStyle) => change({ TriggerStyle })}
          options={([1, 2, 3, 4] as const).map((v) => ({ value: v, label: t(`rules.style.${v}`) }))}
          popupMatchSelectWidth={false}
        />
        {!operatorLast() && operator}
        {needs.includes('ParamValue') && number('ParamValue', t('rules.value'))}
        {needs.includes('ParamValue2') && (
          <>
            <span>{t('rules.to')}</span>
            {number('ParamValue2', t('rules.value2'))}
          </>
        )}
        {operatorLast() && operator}
        {triggersOf(c).length > 1 && (
          <Select
            value={c.TriggerCondition}
            aria-label={t('rules.trigger')}
            onChange={(TriggerCondition) => change({ TriggerCondition })}
            options={triggersOf(c).map((v) => ({ value: v, label: t(`rules.trigger.${v}`) }))}
            popupMatchSelectWidth={false}
          />
        )}
        {needs.includes('Frequency') && (
          <>
            <InputNumber
              min={2}
              max={1000}
              precision={0}
              value={c.Frequency ?? 3}
              aria-label={t('rules.times')}
              onChange={(Frequency) => change({ Frequency })}
              style={{ width: 72 }}
            />
            <span>{t('rules.timesWithin')}</span>
          </>
        )}
        {needs.includes('Duration') && (
          <Seconds
            value={c.Duration ?? 60}
            onChange={(Duration) => change({ Duration })}
            label={t('rules.duration')}
            fault={fault('Duration')}
          />
        )}
        {hasDeadband(c) && (
          <span style={{ whiteSpace: 'nowrap' }}>
            {t('rules.deadband')} {number('Deadband', t('rules.deadband'))}
          </span>
        )}
        {remove && <Button type="text" icon={<DeleteOutlined />} aria-label={t('rules.removeCondition')} onClick={remove} />}
      </div>
      {faults.map((text) => (
        <Fault key={text}>{text}</Fault>
      ))}
    </section>
  )
}
