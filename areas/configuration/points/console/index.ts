import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { gateway } from '../../gateways/contract.ts'
import { point } from '../contract.ts'

export const screens: Screens = {
  '/projectManagement/pointManagement': () => import('./PointScreen.tsx'),
  /** The points of all devices, to search by name. They are edited in point management. */
  '/projectManagement/pointList': list(
    point,
    ['ParaName', 'DeviceId', 'SlaveNumber', 'RegisterType', 'Address', 'ParaDataType', 'ParaUnitName'],
    {
      ...{ readOnly: true, anyTenant: true, filters: ['DeviceId', 'ParaDataType'], see: ['m10114', 'm10104'] },
      link: ({ DeviceId }) => `/projectManagement/pointManagement?DeviceId=${DeviceId}`,
    },
  ),
  '/projectManagement/pointGatewayList': list(
    gateway,
    ['GatewayName', 'ProjectId', 'OnlineStatus', 'ConfigStatus', 'SN', 'LastHeartbeatTime'],
    {
      ...{ readOnly: true, anyTenant: true, filters: ['ProjectId', 'OnlineStatus', 'ConfigStatus'], see: ['m10115', 'm10104'] },
      states: { OnlineStatus: { 0: 'offline', 2: 'offline' }, ConfigStatus: { 1: 'warning', 3: 'alarm' } },
      link: ({ Id }) => `/projectManagement/pointManagement?GatewayId=${Id}`,
    },
  ),
}
