import { Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { alarmInfo } from '../../alarms/alarms/contract.ts'
import { device } from '../../configuration/devices/contract.ts'
import { gateway } from '../../configuration/gateways/contract.ts'
import { project } from '../../configuration/projects/contract.ts'

// Figures of the dashboard. Each is the count of a list with the conditions named beside it, in the same scope.

const Count = Type.Integer()
const Items = Type.Array(Type.Object({ Status: Type.Integer(), Count }))
const ByStatus = Type.Object({ TotalCount: Count, Items })
const at = (path: string, permission: string) => ({ method: 'GET', path, permission }) as const

export const dashboardCalls = {
  /** By HandleStatus, of all that ever were; of those that stand, how many, and how many nobody has acknowledged. */
  alarmsByStatus: call({
    ...at('/Alarm/AlarmInfo/AlarmCountByStatus', alarmInfo.permission),
    answer: Type.Object({ ...ByStatus.properties, ActiveCount: Count, UnacknowledgedCount: Count }),
  }),
  /** By the day they began, as the list cuts days: in the zone of the call. The newest day, today, is the last. */
  alarmsByDay: call({
    ...at('/Alarm/AlarmInfo/AlarmCountByLastDate', alarmInfo.permission),
    query: Type.Object({ Days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })) }),
    answer: Type.Array(Type.Object({ Date: Type.String(), Count })),
  }),
  /** By OnlineStatus. */
  gateways: call({ ...at('/Home/StaticGateWayCount', gateway.permission), answer: ByStatus }),
  /** By Status. */
  devices: call({ ...at('/Project/Device/StaticDevCount', device.permission), answer: ByStatus }),
  /** By RegionId; projects without one are the last entry. */
  projectsByCity: call({
    ...at('/Home/StaticProjectByCity', project.permission),
    answer: Type.Object({
      TotalCount: Count,
      Items: Type.Array(
        Type.Object({
          RegionId: Type.Union([Type.Integer(), Type.Null()]),
          City: Type.Union([Type.String(), Type.Null()]),
          Count,
        }),
      ),
    }),
  }),
}
