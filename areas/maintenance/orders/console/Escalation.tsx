import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, InputNumber, Select, TimePicker } from 'antd'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { type AlarmPush, type PushStep, pushDefaults } from '../../../alarms/alarm-rules/alarm-push.ts'

type Props = { of: AlarmPush; set: (part: Partial<AlarmPush>) => void }

/** Quiet hours: events are delayed or dropped. */
export const QuietHours = ({ of: { NoDisturb }, set }: Props) => {
  const t = useWords()
  const quiet = NoDisturb ?? { Enabled: 0 as const, Start: '22:00', End: '06:00', Mode: 2 as const }
  const change = (part: Partial<typeof quiet>) => set({ NoDisturb: { ...quiet, ...part } })
  const time = (name: 'Start' | 'End') => (
    <TimePicker
      format="HH:mm"
      allowClear={false}
      value={dayjs(`2026-01-01T${quiet[name]}`)}
      aria-label={t(`push.quiet.${name}`)}
      onChange={(at) => at && change({ [name]: at.format('HH:mm') })}
    />
  )
  return (
    <div className="push-line">
      <Checkbox checked={quiet.Enabled === 1} onChange={({ target }) => change({ Enabled: target.checked ? 1 : 0 })}>
        {t('push.quietHours')}
      </Checkbox>
      {quiet.Enabled === 1 && (
        <>
          {time('Start')} – {time('End')}
          <Select
            value={quiet.Mode}
            aria-label={t('push.quiet.mode')}
            options={([2, 1] as const).map((value) => ({ value, label: t(`push.quiet.mode.${value}`) }))}
            onChange={(Mode) => change({ Mode })}
          />
        </>
      )}
    </div>
  )
}

type StepsProps = Props & { audience: (step: PushStep, change: (part: Partial<PushStep>) => void) => ReactNode }
/** Escalation steps until acceptance. */
export const Steps = ({ of: { StepPush }, set, audience }: StepsProps) => {
  const t = useWords()
  const steps = StepPush?.Enabled ? StepPush.Steps : []
  const save = (Steps: PushStep[]) => set({ StepPush: Steps.length ? { Enabled: 1, Steps } : null })
  const add = () =>
    save([
      ...steps,
      { Delay: (steps.at(-1)?.Delay ?? 0) + pushDefaults.StepDelay, PushUsers: [], PushRosters: [], PushMethods: [{ Method: 1 }] },
    ])
  return (
    <>
      {steps.map((step, i) => (
        <fieldset key={`${steps.length} ${i}`} className="push-step">
          <div className="push-line">
            <InputNumber
              min={1}
              max={10_080}
              value={step.Delay}
              suffix="min"
              aria-label={t('push.step.after')}
              onChange={(Delay) => Delay && save(steps.with(i, { ...step, Delay }))}
            />
            <span className="soft">{t('push.step.after')}</span>
            <Button icon={<DeleteOutlined />} aria-label={t('push.step.remove')} onClick={() => save(steps.toSpliced(i, 1))} />
          </div>
          {audience(step, (part) => save(steps.with(i, { ...step, ...part })))}
        </fieldset>
      ))}
      <div>
        <Button icon={<PlusOutlined />} disabled={steps.length >= 10} onClick={add}>
          {t('push.step.add')}
        </Button>
      </div>
    </>
  )
}
