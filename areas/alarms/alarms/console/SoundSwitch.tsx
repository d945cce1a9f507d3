import { MutedOutlined, SoundOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { alarmSettingCalls } from '../../alarm-settings/contract.ts'

/** Mutes alarm sounds for this user on all devices. */
export const SoundSwitch = () => {
  const t = useWords()
  const may = useMay('m10211')
  const { data } = useCall(alarmSettingCalls.own, { of: ['alarmUserSetting'], enabled: may })
  const save = useCommand(alarmSettingCalls.saveOwn, ['alarmUserSetting'])
  if (!data) return null
  const label = t(data.Sound ? 'alarm.mute' : 'alarm.unmute')
  return (
    <Button
      icon={data.Sound ? <SoundOutlined /> : <MutedOutlined />}
      aria-label={label}
      title={label}
      loading={save.isPending}
      onClick={() => save.mutate({ body: { ...data, Sound: data.Sound ? 0 : 1 } })}
    />
  )
}
