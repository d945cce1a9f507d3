import type { Screens } from '../../app/screens.ts'

export const screens: Screens = {
  '/projectManagement/gatewayEvent': () => import('./EventScreen.tsx'),
  '/dataAnalysis/gatewayEvent': () => import('./EventScreen.tsx'),
}
