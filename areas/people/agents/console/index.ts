import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/systemManagement/agent': () => import('./Agents.tsx'),
  '/productSeries/gatewayPosition': () => import('./Positions.tsx'),
  '/productSeries/gatewayPosition/agent': () => import('./AgentRegions.tsx'),
  '/productSeries/gatewayPosition/history': () => import('./History.tsx'),
  '/productSeries/gatewayPosition/outbound': () => import('./Outbound.tsx'),
  '/productSeries/gatewaySN': () => import('./Serials.tsx'),
}
