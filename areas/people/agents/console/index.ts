import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { agent, gatewayPosition, snAgentLog } from '../contract.ts'

export { SerialList } from './SerialList.tsx'

export const screens: Screens = {
  '/systemManagement/agent': list(agent, ['AgentName', 'AgentNo', 'Level', 'ParentAgentId', 'Contact', 'Phone', 'Enabled'], {
    actions: { 'agent.regions': { icon: 'place', needs: 'm10434.edit', dialog: () => import('./Regions.tsx') } },
    around: async () => ({ default: (await import('./WithMap.tsx')).MapBelow }),
    anyTenant: true,
  }),
  // Positions of gateways, with those outside their shipping regions highlighted.
  '/productSeries/gatewayPosition': list(gatewayPosition, ['SN', 'PositionTime', 'AreaCode', 'Source', 'AccuracyM', 'Address', 'IsCross'], {
    filters: ['IsCross', 'PositionTime'],
    looks: async () => ({ inputs: { AreaCode: (await import('./AreaInput.tsx')).AreaInput } }),
    around: async () => ({ default: (await import('./WithMap.tsx')).CountsAbove }),
    anyTenant: true,
  }),
  '/productSeries/gatewayPosition/agent': () => import('./AgentRegions.tsx'),
  '/productSeries/gatewayPosition/history': list(snAgentLog, ['SN', 'OpType', 'AgentId', 'FromText', 'ToText', 'UserId', 'OpTime'], {
    filters: ['OpTime'],
    readOnly: true,
    anyTenant: true,
  }),
  '/productSeries/gatewayPosition/outbound': () => import('./Outbound.tsx'),
}
