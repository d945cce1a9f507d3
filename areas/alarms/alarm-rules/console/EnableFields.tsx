import { Input, Segmented, Select } from 'antd'
import { CronEditor } from '../../../../console/cron/CronEditor.tsx'
import { CronZone } from '../../../../console/cron/zone.ts'
import { userZone } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { Enable, type RuleConfigure } from '../alarm-configure.ts'
import { Fault, Field } from './Field.tsx'

type Props = { value: RuleConfigure; onChange: (part: Partial<RuleConfigure>) => void; fault: (name: string) => string | undefined }

const zones = Intl.supportedValuesOf('timeZone')

/** Active period of a rule: always, in windows, or at the times of a cron expression, in its time zone. */
export const EnableFields = ({ value, onChange, fault }: Props) => {
  const t = useWords()
  const rule = value.EnableRule ?? { TimeZone: userZone() }
  const set = (part: Partial<NonNullable<RuleConfigure['EnableRule']>>) => onChange({ EnableRule: { ...rule, ...part } })
  const text = (name: 'StartTime' | 'EndTime' | 'StartDate' | 'EndDate', type: 'time' | 'date') => (
    <Field label={t(`rules.${name}`)}>
      {(id) => (
        <Input
          id={id}
          value={rule[name] ?? ''}
          type={type}
          {...(fault(`EnableRule.${name}`) ? { status: 'error' as const } : {})}
          onChange={(e) => set({ [name]: e.target.value || null })}
          style={{ width: 150 }}
        />
      )}
    </Field>
  )
  const faults = ['', '.TimeZone', '.StartTime', '.EndTime', '.StartDate', '.EndDate', '.Weeks', '.Cron'].flatMap(
    (name) => fault(`EnableRule${name}`) ?? [],
  )
  return (
    <div className="rule-enable">
      <Segmented<0 | 1 | 2>
        value={value.EnableType}
        onChange={(EnableType) =>
          onChange({
            EnableType,
            EnableRule:
              EnableType === Enable.always
                ? null
                : EnableType === Enable.cron
                  ? { TimeZone: rule.TimeZone, Cron: '0 0 8 * * ?' }
                  : { TimeZone: rule.TimeZone, StartTime: '08:00', EndTime: '18:00' },
          })
        }
        options={([0, 1, 2] as const).map((v) => ({ value: v, label: t(`rules.enable.${v}`) }))}
        aria-label={t('rules.enableWhen')}
      />
      {value.EnableType !== Enable.always && (
        <Select
          showSearch
          value={rule.TimeZone}
          aria-label={t('rules.zone')}
          options={[...new Set([rule.TimeZone, 'UTC', ...zones])].map((z) => ({ value: z, label: z }))}
          onChange={(TimeZone) => set({ TimeZone })}
          style={{ width: 240 }}
        />
      )}
      {value.EnableType === Enable.window && (
        <div className="rule-window">
          {text('StartTime', 'time')}
          {text('EndTime', 'time')}
          {text('StartDate', 'date')}
          {text('EndDate', 'date')}
          <Select
            mode="multiple"
            value={rule.Weeks ?? []}
            placeholder={t('rules.everyDay')}
            aria-label={t('rules.weekdays')}
            options={[2, 3, 4, 5, 6, 7, 1].map((v) => ({ value: v, label: t(`rules.weekday.${v}`) }))}
            onChange={(Weeks) => set({ Weeks: Weeks.length ? Weeks : null })}
            style={{ minWidth: 220 }}
          />
          {rule.StartTime && rule.EndTime && rule.StartTime >= rule.EndTime && <span className="soft">{t('rules.overnight')}</span>}
        </div>
      )}
      {value.EnableType === Enable.cron && (
        <CronZone.Provider value={rule.TimeZone}>
          <CronEditor value={rule.Cron ?? ''} onChange={(Cron) => set({ Cron })} />
        </CronZone.Provider>
      )}
      {faults.map((message) => (
        <Fault key={message}>{message}</Fault>
      ))}
    </div>
  )
}
