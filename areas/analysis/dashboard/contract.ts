// Figures of the dashboard.
import { byDay, counts } from '../../../contract/figures.ts'
import { alarmInfo } from '../../alarms/alarms/contract.ts'
import { device } from '../../configuration/devices/contract.ts'
import { gateway } from '../../configuration/gateways/contract.ts'
import { project } from '../../configuration/projects/contract.ts'

export const figures = {
  /** Total of all time; active ones, and those of them that are not acknowledged. */
  alarms: counts(alarmInfo, {
    path: '/Alarm/AlarmInfo/AlarmCountByStatus',
    by: 'HandleStatus',
    key: 'Status',
    sums: { ActiveCount: { IsActive: [1] }, UnacknowledgedCount: { IsActive: [1], AckStatus: [0] } },
  }),
  alarmDays: byDay(alarmInfo, { path: '/Alarm/AlarmInfo/AlarmCountByLastDate', at: 'StartTime' }),
  gateways: counts(gateway, { path: '/Home/StaticGateWayCount', by: 'OnlineStatus', key: 'Status' }),
  devices: counts(device, { path: '/Project/Device/StaticDevCount', by: 'Status' }),
  /** Projects without a region are the last entry. */
  cities: counts(project, { path: '/Home/StaticProjectByCity', by: 'RegionId', title: 'City' }),
}
