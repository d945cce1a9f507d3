import { Level } from '../../../../console/theme/State.tsx'
import { wallToEpoch } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { alarmInfo } from '../contract.ts'

export type Alarm = Row<typeof alarmInfo> & Record<string, unknown>

/** Level of an alarm; without colour once it has cleared. */
export const AlarmLevel = ({ of: { AlarmLevel: level, IsActive } }: { of: Pick<Alarm, 'AlarmLevel' | 'IsActive'> }) => {
  const t = useWords()
  return <Level is={IsActive ? level : 0}>{t(`alarmInfo.AlarmLevel.${level}`)}</Level>
}

/** Priority of its messages; "in turn" is the default and not shown. */
export const AlarmPriority = ({ of: { Priority } }: { of: Pick<Alarm, 'Priority'> }) => {
  const t = useWords()
  if (Priority === 2) return null
  return (
    <span className="soft" title={t('alarmInfo.Priority')}>
      {t(`alarmInfo.Priority.${Priority}`)}
    </span>
  )
}

/** Active state and handling state (ruling 43). */
export const AlarmState = ({
  of: { IsActive, HandleStatus, AckStatus, ShelvedUntil, IsJoined },
}: {
  of: Pick<Alarm, 'IsActive' | 'HandleStatus' | 'AckStatus' | 'ShelvedUntil' | 'IsJoined'>
}) => {
  const t = useWords()
  if (IsActive && ShelvedUntil && wallToEpoch(ShelvedUntil) > Date.now())
    return <span className="soft">{t('alarm.shelved', { time: ShelvedUntil.slice(5, 16) })}</span>
  if (IsActive) return t(HandleStatus === 2 ? 'alarm.handledStanding' : AckStatus ? 'alarm.acknowledged' : 'alarm.standing')
  if (IsJoined && HandleStatus !== 2) return <span className="soft">{t('alarm.joined')}</span>
  return <span className="soft">{t(`alarmInfo.HandleStatus.${HandleStatus || 1}`)}</span>
}
