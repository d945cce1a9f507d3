import type { Screens } from '../../../../console/shell/screens.ts'

export { useAllPoints } from './useAllPoints.ts'
export { useChosenPoints } from './useChosenPoints.ts'
export { useTrendPoints } from './useTrendPoints.ts'

export const screens: Screens = {
  '/projectManagement/realTimeData': () => import('./RealTimeScreen.tsx'),
}
