import type { Screens } from '../../app/screens.ts'

export const screens: Screens = {
  '/systemManagement/monitor': () => import('./MonitorScreen.tsx'),
}
