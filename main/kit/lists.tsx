import { alarmCode } from '../../areas/alarms/alarm-plans/contract.ts'
import { device } from '../../areas/configuration/devices/contract.ts'
import { point } from '../../areas/configuration/points/contract.ts'
import { nodeUsers } from '../../areas/people/organs/console/NodeUsers.tsx'
import { organ, organCalls } from '../../areas/people/organs/contract.ts'
import { detail, list } from '../../console/kernel/plainScreens.ts'
import { ResourceList } from '../../console/kernel/ResourceList.tsx'
import { TreeScreen } from '../../console/kernel/tree/TreeScreen.tsx'
import { lazyScreen } from '../../console/shell/lazyScreen.tsx'
import type { Seeds } from './seed.ts'

export const List = () => <ResourceList of={alarmCode} columns={['Code', 'Name', 'ModelId', 'Level', 'Reason']} prefix="list" />

const measured = ['ParaName', 'Address', 'ReadWriteType', 'ParaDataType', 'ParaUnitName', 'AlarmHigh', 'CollectPeriod', 'IsStore'] as const
/** `?longsize=1000` in the address makes its page long. */
export const LongList = ({ pump }: Seeds) => (
  <div className="kit-long">
    <ResourceList of={point} columns={[...measured]} fixed={{ DeviceId: pump.Id }} prefix="long" />
  </div>
)

const Users = nodeUsers(organCalls.users)
export const Tree = () => <TreeScreen of={organ} beside={Users} />

const Device = lazyScreen(
  detail(device, {
    states: { Status: { 0: 'offline', 2: 'alarm', 3: 'offline' } },
    sections: { 'section.address': ['SlaveNumber', 'ModelId'] },
    tabs: { 'device.points': list(point, ['ParaName', 'Address', 'ParaUnitName', 'AlarmHigh']) },
  }),
)
export const Detail = ({ pump }: Seeds) => <Device of={pump.Id} />
/** Its record is gone. */
export const Gone = () => <Device of={999_999} />
