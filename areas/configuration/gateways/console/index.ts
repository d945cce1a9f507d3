import { detail, list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import { events } from '../../../alarms/events/console/index.ts'
import { devices } from '../../devices/console/index.ts'
import { command, gateway } from '../contract.ts'

const states: Record<'OnlineStatus' | 'ConfigStatus', Record<number, Condition>> = {
  OnlineStatus: { 0: 'offline', 2: 'offline' },
  ConfigStatus: { 1: 'warning', 3: 'alarm' },
}
const page = ({ Id }: { Id: number }) => `/projectManagement/gatewayPreView?Id=${Id}`

const gateways = list(gateway, ['GatewayName', 'OnlineStatus', 'ConfigStatus', 'SN', 'ProjectId', 'LastHeartbeatTime'], {
  states,
  filters: ['ProjectId'],
  link: page,
  anyTenant: true,
  actions: {
    open: { icon: 'open', to: page },
    'button.push': { icon: 'push', needs: 'm10102.push', dialog: () => import('./PushDialog.tsx') },
    'button.resetKey': { icon: 'resetKey', needs: 'm10102.resetKey', danger: true, dialog: () => import('./Enrolment.tsx') },
  },
  added: { needs: 'm10102.resetKey', dialog: async () => ({ default: (await import('./Enrolment.tsx')).FirstKey }) },
})

/** What was sent to gateways, by whom, and what they answered. */
const commands = list(command, ['SendTime', 'CmdType', 'Code', 'AckTime', 'UserId'], {
  wraps: ['Code'],
  readOnly: true,
  looks: () => import('./commandLooks.tsx'),
})

export const screens: Screens = {
  '/projectManagement/gatewayManagement': gateways,
  '/projectManagement/gatewayPreView': detail(gateway, {
    states,
    sections: {
      'gateway.group.identity': ['SN', 'GatewayTypeId', 'GatewaySubTypeId', 'ProjectId', 'HeartbeatPeriod', 'Remark'],
      'gateway.group.connection': ['Ip', 'LastHeartbeatTime', 'LastOnlineTime', 'LastOfflineTime', 'Rssi', 'CCID', 'TimeOffsetMs'],
      'gateway.group.machine': [
        ...(['FirmwareVer', 'HardwareVer', 'UpTime', 'CpuRate', 'MemRate', 'DiskRate', 'CacheCount', 'RemoteLock'] as const),
        'RemoteLockTime',
      ],
    },
    tabs: {
      'gateway.tab.channels': () => import('../../../system/message-channels/console/ChannelLists.tsx'),
      'gateway.tab.devices': devices,
      'gateway.tab.commands': commands,
      'gateway.tab.events': events,
      'gateway.tab.rejected': () => import('./Rejected.tsx'),
    },
    looks: () => import('./gatewayLooks.tsx'),
  }),
}
