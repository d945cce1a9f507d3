import { detail, list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { events } from '../../../alarms/events/console/index.ts'
import { versions } from '../../config-versions/console/index.ts'
import { devices } from '../../devices/console/index.ts'
import { command, gateway } from '../contract.ts'
import { states } from './gateways.ts'

/** Commands sent to gateways, with their authors and answers. */
const commands = list(command, ['SendTime', 'CmdType', 'Code', 'AckTime', 'UserId'], {
  wraps: ['Code'],
  readOnly: true,
  looks: () => import('./commandLooks.tsx'),
})

export const screens: Screens = {
  '/projectManagement/gatewayManagement': () => import('./GatewaysScreen.tsx'),
  '/projectManagement/gatewayPreView': detail(gateway, {
    states,
    sections: {
      'gateway.group.identity': ['SN', 'FormerSN', 'GatewayTypeId', 'GatewaySubTypeId', 'ProjectId', 'HeartbeatPeriod', 'Remark'],
      'gateway.group.connection': ['Ip', 'LastHeartbeatTime', 'LastOnlineTime', 'LastOfflineTime', 'Rssi', 'CCID', 'TimeOffsetMs'],
      'gateway.group.machine': [
        ...(['FirmwareVer', 'HardwareVer', 'UpTime', 'CpuRate', 'MemRate', 'DiskRate', 'CacheCount', 'RemoteLock'] as const),
        'RemoteLockTime',
      ],
    },
    tabs: {
      'gateway.tab.channels': () => import('../../channels/console/ChannelLists.tsx'),
      'gateway.tab.devices': devices,
      'gateway.tab.settings': () => import('./GatewaySettings.tsx'),
      'gateway.tab.versions': versions,
      'gateway.tab.commands': commands,
      'gateway.tab.history': () => import('./GatewayHistory.tsx'),
      'gateway.tab.events': events,
      'gateway.tab.rejected': () => import('./Rejected.tsx'),
    },
    looks: () => import('./gatewayLooks.tsx'),
  }),
}
