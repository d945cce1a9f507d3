import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/projectManagement/gatewayEvent': () => import('./EventScreen.tsx'),
  '/dataAnalysis/gatewayEvent': () => import('./EventScreen.tsx'),
}
