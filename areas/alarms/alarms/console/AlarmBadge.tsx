import { Link } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { levelCondition, Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmCalls } from '../contract.ts'
import { useAlarmSound } from './useAlarmSound.ts'

/** Number of active alarms; hidden below 1, 99+ above 99 (specification, section 9). */
export const AlarmBadge = () => {
  const t = useWords()
  const may = useMay('m10201')
  const { data } = useCall(alarmCalls.statistics, { of: ['alarmInfo'], enabled: may, refetchInterval: 60_000 })
  useAlarmSound()
  const count = data?.TotalCount ?? 0
  if (count < 1) return null
  return (
    <Link className="alarm-badge" to="/alarmManagement/alarmInfo" aria-label={t('shell.alarms', { count })}>
      <Shape is={levelCondition((data?.HighCount ?? 0) > 0 ? 3 : 2)} />
      <span className="figures">{count > 99 ? '99+' : count}</span>
    </Link>
  )
}
