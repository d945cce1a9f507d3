import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { snAgentLog } from '../contract.ts'

export const screens: Screens = {
  '/systemManagement/agent': () => import('./Agents.tsx'),
  '/productSeries/gatewayPosition': () => import('./Positions.tsx'),
  '/productSeries/gatewayPosition/agent': () => import('./AgentRegions.tsx'),
  '/productSeries/gatewayPosition/history': list(snAgentLog, ['SN', 'OpType', 'AgentId', 'FromText', 'ToText', 'UserId', 'OpTime'], {
    filters: ['OpTime'],
    readOnly: true,
    ofPlatform: true,
  }),
  '/productSeries/gatewayPosition/outbound': () => import('./Outbound.tsx'),
  '/productSeries/gatewaySN': () => import('./Serials.tsx'),
}
