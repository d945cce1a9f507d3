import type { Screens } from '../../../../console/shell/screens.ts'

export { useFirstPoints } from './useFirstPoints.ts'

export const screens: Screens = {
  '/projectManagement/realTimeData': () => import('./RealTimeScreen.tsx'),
}
