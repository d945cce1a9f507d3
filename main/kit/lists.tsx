import { alarmCode } from '../../areas/alarms/alarm-plans/contract.ts'
import { DeviceState } from '../../areas/configuration/devices/console/states.tsx'
import { device } from '../../areas/configuration/devices/contract.ts'
import { point } from '../../areas/configuration/points/contract.ts'
import { TreeScreen } from '../../areas/people/organs/console/TreeScreen.tsx'
import { organ, organCalls } from '../../areas/people/organs/contract.ts'
import { useRow } from '../../console/kernel/api.ts'
import { ResourceList } from '../../console/kernel/ResourceList.tsx'
import { DetailHead } from '../../console/shell/DetailHead.tsx'
import { none } from '../../console/words/formats.ts'
import { useWords } from '../../console/words/words.ts'
import type { Seeds } from './seed.ts'

export const List = () => <ResourceList of={alarmCode} columns={['Code', 'Name', 'ModelId', 'Level', 'Reason']} prefix="list" />

const measured = ['ParaName', 'Address', 'ReadWriteType', 'ParaDataType', 'ParaUnitName', 'AlarmHigh', 'CollectPeriod', 'IsStore'] as const
/** `?longsize=1000` in the address makes its page long. */
export const LongList = ({ pump }: Seeds) => (
  <div className="kit-long">
    <ResourceList of={point} columns={[...measured]} fixed={{ DeviceId: pump.Id }} prefix="long" />
  </div>
)

export const Tree = () => <TreeScreen of={organ} users={organCalls.users} />

export const Detail = ({ pump }: Seeds) => {
  const t = useWords()
  const { data = pump } = useRow(device, pump.Id)
  const figures = ['SlaveNumber', 'OkCount', 'ErrCount'] as const
  return (
    <DetailHead
      name={data.DeviceName}
      state={<DeviceState of={data} />}
      belongs={String(data.GatewayName)}
      figures={figures.map((name) => ({ label: t(`device.${name}`), value: data[name] ?? none }))}
    />
  )
}
