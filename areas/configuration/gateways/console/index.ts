import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/projectManagement/gatewayManagement': () => import('./GatewayList.tsx'),
  '/projectManagement/gatewayPreView': () => import('./GatewayPage.tsx'),
}
