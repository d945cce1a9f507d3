import { detail, list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import { panels } from '../../device-vnc/console/index.ts'
import { device } from '../contract.ts'
import { refineDevice } from './refineDevice.ts'

const Status: Record<number, Condition> = { 0: 'offline', 2: 'alarm', 3: 'offline' }

/** Devices of all gateways or of one. A device uses one channel of its gateway, either network or serial. */
export const devices = list(
  device,
  ['DeviceName', 'Status', 'GatewayId', 'ModelId', 'ModelVersion', 'SlaveNumber', 'LastDataTime', 'ErrCount'],
  {
    states: { Status },
    filters: ['GatewayId', 'ModelId'],
    anyTenant: true,
    see: ['m10110'],
    link: ({ Id }) => `/projectManagement/devicePointList?Id=${Id}`,
    refine: refineDevice,
    looks: () => import('./deviceForm.tsx'),
    buttons: {
      'device.addMany': { icon: 'use', needs: 'm10103.add', dialog: () => import('./AddDevicesDialog.tsx') },
      'connect.title': { icon: 'open', needs: 'm10103.add', to: '/projectManagement/gatewayManagement?connect' },
    },
    actions: {
      'device.points': { icon: 'list', to: ({ Id }) => `/projectManagement/pointManagement?DeviceId=${Id}` },
      'device.trend': { icon: 'chart', to: ({ Id }) => `/dataAnalysis/realTimeData?devices=${Id}` },
      'device.picture': { icon: 'open', needs: 'm10125', to: ({ Id }) => `/projectDetailsManagement/ofDevice?Device=${Id}` },
    },
  },
)

export const screens: Screens = {
  '/projectManagement/deviceManagement': devices,
  '/projectManagement/devicePointList': detail(device, {
    states: { Status },
    tabs: {
      'device.tab.live': async () => ({ default: (await import('./deviceLooks.tsx')).Live }),
      'device.tab.alarms': () => import('../../../alarms/alarms/console/DeviceAlarms.tsx'),
      'device.trend': () => import('../../../analysis/telemetry/console/DeviceTrend.tsx'),
      'device.tab.points': async () => ({ default: (await import('./deviceLooks.tsx')).Points }),
      'device.tab.panels': panels,
      'device.tab.why': () => import('./WhyNoData.tsx'),
    },
    looks: () => import('./deviceLooks.tsx'),
  }),
}
