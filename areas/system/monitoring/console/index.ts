import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/systemManagement/monitor': () => import('./MonitorScreen.tsx'),
}
