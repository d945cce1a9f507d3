import './settings.css'
import { Checkbox, Input, Radio, Switch } from 'antd'
import { type ReactNode, useId } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { PushMethod } from '../../alarm-rules/alarm-push.ts'
import type { UserSetting } from '../contract.ts'

type Props = { value: UserSetting; onChange: (value: UserSetting) => void; disabled?: boolean }

export const Part = ({ title, help, children }: { title: string; help?: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section className="setting-part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {help && <p className="soft">{help}</p>}
      {children}
    </section>
  )
}

/** Channels that reach one person. Excludes voice calls, which do not exist yet, and DingTalk robots, which post to a group. */
export const toPeople: readonly number[] = [PushMethod.site, PushMethod.email, PushMethod.sms, PushMethod.wechat]

/** A person's alarms, channels and quiet hours. */
export const SettingFields = ({ value, onChange, disabled = false }: Props) => {
  const t = useWords()
  const set = (part: Partial<UserSetting>) => onChange({ ...value, ...part })
  const quiet = value.NoDisturb
  const hush = (part: Partial<UserSetting['NoDisturb']>) => set({ NoDisturb: { ...quiet, ...part } })
  const boxes = (name: 'Levels' | 'Types' | 'Methods', of: readonly number[], key: string) => (
    <Checkbox.Group<number>
      disabled={disabled}
      value={value[name]}
      onChange={(chosen) => set({ [name]: [...chosen, ...value[name].filter((v) => !of.includes(v))].sort() })}
      options={of.map((v) => ({ value: v, label: t(`${key}.${v}`) }))}
    />
  )
  const time = (name: 'Start' | 'End') => (
    <Input
      type="time"
      disabled={disabled}
      value={quiet[name]}
      aria-label={t(`alarmUser.${name}`)}
      onChange={(e) => e.target.value && hush({ [name]: e.target.value })}
      style={{ width: 130 }}
    />
  )
  return (
    <div className="setting-fields">
      <Part title={t('alarmUser.Levels')}>{boxes('Levels', [3, 2, 1], 'alarmInfo.AlarmLevel')}</Part>
      <Part title={t('alarmUser.Types')}>{boxes('Types', [1, 2, 5], 'alarmInfo.AlarmType')}</Part>
      <Part title={t('alarmUser.Methods')} help={t('alarmUser.methodsHelp')}>
        {boxes('Methods', toPeople, 'alarmUser.Method')}
      </Part>
      <Part title={t('alarmUser.NoDisturb')} help={t('alarmUser.quietHelp')}>
        <div className="setting-line">
          <Switch
            disabled={disabled}
            checked={quiet.Enabled === 1}
            aria-label={t('alarmUser.NoDisturb')}
            onChange={(on) => hush({ Enabled: on ? 1 : 0 })}
          />
          {quiet.Enabled === 1 && (
            <>
              {time('Start')}
              <span>–</span>
              {time('End')}
            </>
          )}
        </div>
        {quiet.Enabled === 1 && (
          <Radio.Group
            disabled={disabled}
            value={quiet.Mode}
            aria-label={t('alarmUser.Mode')}
            onChange={(e) => hush({ Mode: e.target.value as 1 | 2 })}
            options={([2, 1] as const).map((v) => ({ value: v, label: t(`alarmUser.Mode.${v}`) }))}
          />
        )}
      </Part>
      <Part title={t('alarmUser.WithoutRule')} help={t('alarmUser.withoutRuleHelp')}>
        <Switch
          disabled={disabled}
          checked={value.WithoutRule === 1}
          aria-label={t('alarmUser.WithoutRule')}
          onChange={(on) => set({ WithoutRule: on ? 1 : 0 })}
        />
      </Part>
      <Part title={t('alarmUser.Sound')} help={t('alarmUser.soundHelp')}>
        <Switch
          disabled={disabled}
          checked={value.Sound === 1}
          aria-label={t('alarmUser.Sound')}
          onChange={(on) => set({ Sound: on ? 1 : 0 })}
        />
      </Part>
    </div>
  )
}
