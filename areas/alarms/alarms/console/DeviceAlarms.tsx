import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { levels } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmInfo } from '../contract.ts'

/** Alarms of one device, newest first. */
const DeviceAlarms = ({ row }: { row: { Id: number } }) => {
  const t = useWords()
  const may = useMay('m10201')
  if (!may) return <EmptyList text={t('error.forbidden')} />
  return (
    <ResourceList
      of={alarmInfo}
      prefix="alarm."
      columns={['RuleName', 'AlarmLevel', 'AlarmDesc', 'StartTime', 'RecoverTime', 'AckStatus']}
      fixed={{ DeviceId: row.Id }}
      link={({ Id }) => `/alarmManagement/alarmInfo?view=history&alarm=${Id}`}
      states={{ AlarmLevel: levels }}
      readOnly
    />
  )
}
export default DeviceAlarms
