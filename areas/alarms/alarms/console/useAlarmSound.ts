import { useEffect } from 'react'
import { useCall, useSettings } from '../../../../console/kernel/api.ts'
import { hub } from '../../../../console/live/hub.ts'
import { useMay } from '../../../../console/session/session.ts'
import { alarmReminder, alarmSettingCalls } from '../../alarm-settings/contract.ts'
import { alarmCalls } from '../contract.ts'
import { chime } from './chime.ts'

/** Plays a sound for the user's alarms, and repeats it as set by the tenant until they are acknowledged. */
export const useAlarmSound = () => {
  const [sees, sets] = [useMay('m10201'), useMay('m10211')]
  const { data: own } = useCall(alarmSettingCalls.own, { of: ['alarmUserSetting'], enabled: sees && sets })
  const { data: reminder } = useSettings(alarmReminder, { enabled: sees })
  const reminds = sees && own?.Sound === 1 && reminder?.Enabled === 1
  const { data: levels } = useCall(alarmCalls.groups, { query: { By: 'AlarmLevel' }, of: ['alarmInfo'], enabled: reminds })

  useEffect(
    () =>
      hub.on('Alarm', ({ Event, AlarmLevel, DeviceId }) => {
        const wanted = own?.Sound === 1 && own.Levels.includes(AlarmLevel as 1) && own.Types.includes(DeviceId === null ? 2 : 1)
        if (Event === 'raised' && wanted) chime(AlarmLevel === 3)
      }),
    [own],
  )

  const open = (levels ?? []).filter(
    ({ Key, Unacknowledged }) => Unacknowledged > 0 && reminder?.Levels.includes(Key as 1) && own?.Levels.includes(Key as 1),
  )
  const [isOpen, isUrgent] = [reminds && open.length > 0, open.some(({ Key }) => Key === 3)]
  const [Interval, Times] = [reminder?.Interval ?? 1, reminder?.Times ?? 1]
  useEffect(() => {
    if (!isOpen) return
    let left = Times
    const timer = setInterval(() => {
      chime(isUrgent)
      left--
      if (left < 1) clearInterval(timer)
    }, Interval * 60_000)
    return () => clearInterval(timer)
  }, [isOpen, isUrgent, Interval, Times])
}
