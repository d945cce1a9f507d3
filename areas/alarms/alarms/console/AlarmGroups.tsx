import { Button, Select } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { levelCondition, Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmCalls, groupings } from '../contract.ts'

type By = (typeof groupings)[number]
type Props = {
  /** Type of alarms: devices or gateways; all if undefined. */
  type?: number | undefined
  chosen: Record<string, unknown>
  choose: (filter: Record<string, string | null>) => void
}

/** Active alarms by source; selecting a group filters the list, selecting it again removes the filter. */
export const AlarmGroups = ({ type, chosen, choose }: Props) => {
  const t = useWords()
  const [By, setBy] = useState<By | 'none'>('none')
  const { data } = useCall(alarmCalls.groups, {
    query: { By: By === 'none' ? 'AlarmLevel' : By, ...(type ? { AlarmType: type } : {}) },
    of: ['alarmInfo'],
    enabled: By !== 'none',
  })
  const change = (by: By | 'none') => {
    if (By !== 'none') choose({ [By]: null })
    setBy(by)
  }
  return (
    <div className="alarm-groups">
      <Select<By | 'none'>
        value={By}
        aria-label={t('alarm.groupBy')}
        prefix={<span className="soft">{t('alarm.groupBy')}</span>}
        onChange={change}
        options={(['none', ...groupings] as const).map((value) => ({
          value,
          label: value === 'none' ? t('alarm.notGrouped') : t('alarm.by', { name: t(`alarmInfo.${value}`) }),
        }))}
        popupMatchSelectWidth={false}
      />
      {By !== 'none' &&
        (data ?? []).map((g) => {
          const name = By === 'AlarmLevel' ? t(`alarmInfo.AlarmLevel.${g.Key}`) : g.Name || `#${g.Key}`
          const is = String(chosen[By] ?? '') === String(g.Key)
          return (
            <Button
              key={g.Key}
              size="small"
              type={is ? 'primary' : 'default'}
              aria-pressed={is}
              aria-label={t('alarm.group', { name, count: g.Count, open: g.Unacknowledged })}
              icon={<Shape is={levelCondition(g.Level)} />}
              onClick={() => choose({ [By]: is ? null : String(g.Key) })}
            >
              {name} <span className="figures">{g.Count}</span>
            </Button>
          )
        })}
    </div>
  )
}
