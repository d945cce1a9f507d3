import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Input, InputNumber, Select, Switch } from 'antd'
import { language, useWords } from '../../../../console/words/words.ts'
import { type AlarmPush, pushesPerHour } from '../alarm-push.ts'
import { AudienceFields } from './AudienceFields.tsx'
import { Fault, Field, stateOf, useFaults } from './Field.tsx'
import { quieted, shaking, stepAfter, styled, tooShort } from './pushDraft.ts'

type Props = {
  isOn: boolean
  turn: (on: boolean) => void
  value: AlarmPush
  onChange: (part: Partial<AlarmPush>) => void
  /** Interval between readings of each of the rule's points, s. */
  periods: readonly number[]
  project: number | undefined
}

const Whole = ({
  label,
  value,
  min = 1,
  max,
  onChange,
}: {
  label: string
  value: number
  min?: number
  max: number
  onChange: (v: number) => void
}) => (
  <InputNumber
    value={value}
    min={min}
    max={max}
    precision={0}
    aria-label={label}
    onChange={(v) => onChange(v ?? min)}
    style={{ width: 90 }}
  />
)

/** Recipients, times and repetition of messages. */
export const PushFields = ({ isOn, turn, value, onChange, periods, project }: Props) => {
  const t = useWords()
  const fault = useFaults()
  const at = 'AlarmPush.'
  const quiet = value.NoDisturb
  const wholeDay = fault(`${at}NoDisturb.End`)
  const slower = tooShort(value, periods)
  const steps = value.StepPush?.Steps ?? []
  const stepped = (Steps: typeof steps) => onChange({ StepPush: Steps.length ? { Enabled: 1, Steps } : null })
  const set = (at: number, part: Partial<(typeof steps)[number]>) => stepped(steps.map((s, i) => (i === at ? { ...s, ...part } : s)))
  const clock = (name: 'Start' | 'End') => (
    <Input
      type="time"
      value={quiet?.[name]}
      aria-label={t(`rules.quiet.${name}`)}
      {...stateOf(name === 'End' ? wholeDay : undefined)}
      onChange={(e) => e.target.value && onChange({ NoDisturb: { ...quiet!, [name]: e.target.value } })}
      style={{ width: 130 }}
    />
  )
  return (
    <div className="rule-enable">
      <div className="rule-words">
        <Switch checked={isOn} onChange={turn} aria-label={t('rules.tell')} /> <span>{t('rules.tell')}</span>
      </div>
      {isOn && (
        <>
          <AudienceFields value={value} onChange={onChange} project={project} path={at} />
          <Field label={t('rules.pushStyle')}>
            {(id) => (
              <Select<1 | 2 | 3>
                id={id}
                value={value.PushStyle ?? 1}
                onChange={(style) => onChange(styled(style))}
                options={([1, 3, 2] as const).map((v) => ({ value: v, label: t(`rules.pushStyle.${v}`) }))}
              />
            )}
          </Field>
          {value.PushStyle === 2 && (
            <div className="rule-words">
              <span>{t('rules.repeatEvery')}</span>
              <Whole
                label={t('rules.repeatEvery')}
                value={value.RepeatMinutes ?? 30}
                max={10_080}
                onChange={(RepeatMinutes) => onChange({ RepeatMinutes })}
              />
              <span>{t('rules.minutes')}</span>
            </div>
          )}
          {value.PushStyle !== 3 && (
            <Checkbox checked={value.RecoveryNotice === 1} onChange={(e) => onChange({ RecoveryNotice: e.target.checked ? 1 : 0 })}>
              {t('rules.recoveryNotice')}
            </Checkbox>
          )}
          <Field label={t('rules.fromLevel')}>
            {(id) => (
              <Select<1 | 2 | 3>
                id={id}
                value={value.AlarmLevel ?? 1}
                onChange={(AlarmLevel) => onChange({ AlarmLevel })}
                options={([1, 2, 3] as const).map((v) => ({ value: v, label: t(`alarmRule.AlarmLevel.${v}`) }))}
              />
            )}
          </Field>
          <Checkbox checked={Boolean(value.AntiShakeDuration)} onChange={(e) => onChange(shaking(e.target.checked))}>
            {t('rules.antiShake')}
          </Checkbox>
          {value.AntiShakeDuration && (
            <div className="rule-words">
              <Whole
                label={t('rules.times')}
                value={value.AntiShakeFrequency ?? 3}
                max={1000}
                onChange={(AntiShakeFrequency) => onChange({ AntiShakeFrequency })}
              />
              <span>{t('rules.timesWithin')}</span>
              <Whole
                label={t('rules.duration')}
                value={value.AntiShakeDuration}
                max={86_400}
                onChange={(AntiShakeDuration) => onChange({ AntiShakeDuration })}
              />
              <Select<1 | 2>
                value={value.AntiShakeUnit ?? 1}
                aria-label={t('rules.unit')}
                onChange={(AntiShakeUnit) => onChange({ AntiShakeUnit })}
                options={([1, 2] as const).map((v) => ({ value: v, label: t(`rules.unit.${v === 1 ? 1 : 60}`) }))}
              />
            </div>
          )}
          {slower && <Alert type="warning" showIcon title={t('rules.shakeTooShort', { seconds: slower.toLocaleString(language()) })} />}
          <Checkbox checked={quiet?.Enabled === 1} onChange={(e) => onChange(quieted(e.target.checked))}>
            {t('rules.quiet')}
          </Checkbox>
          {quiet?.Enabled === 1 && (
            <div className="rule-words">
              {clock('Start')}
              <span>–</span>
              {clock('End')}
              <Select<1 | 2>
                value={quiet.Mode}
                aria-label={t('rules.quiet')}
                onChange={(Mode) => onChange({ NoDisturb: { ...quiet, Mode } })}
                options={([2, 1] as const).map((v) => ({ value: v, label: t(`rules.quiet.${v}`) }))}
                style={{ minWidth: 200 }}
              />
              <span className="soft">{t('rules.quiet.zone')}</span>
              {wholeDay && <Fault>{wholeDay}</Fault>}
            </div>
          )}
          {steps.map((step, i) => (
            <fieldset key={i} className="rule-group">
              <div className="rule-words">
                <span>{t('rules.stepAfter')}</span>
                <Whole label={t('rules.stepAfter')} value={step.Delay} max={10_080} onChange={(Delay) => set(i, { Delay })} />
                <span>{t('rules.stepWhen')}</span>
                {fault(`${at}StepPush.Steps.${i}.Delay`) && <Fault>{fault(`${at}StepPush.Steps.${i}.Delay`)}</Fault>}
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={t('rules.removeStep', { step: i + 1 })}
                  onClick={() => stepped(steps.filter((_, k) => k !== i))}
                />
              </div>
              <AudienceFields value={step} onChange={(part) => set(i, part)} project={project} path={`${at}StepPush.Steps.${i}.`} />
            </fieldset>
          ))}
          {steps.length < 10 && (
            <Button size="small" type="dashed" icon={<PlusOutlined />} onClick={() => stepped([...steps, stepAfter(steps)])}>
              {t('rules.addStep')}
            </Button>
          )}
          <span className="soft">{t('rules.guard', { count: pushesPerHour })}</span>
        </>
      )}
    </div>
  )
}
