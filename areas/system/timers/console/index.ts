import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/systemManagement/timingTask': () => import('./TimerList.tsx'),
}
