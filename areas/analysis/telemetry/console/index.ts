import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/projectManagement/realTimeData': () => import('./RealTimeScreen.tsx'),
}
