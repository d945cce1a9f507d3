import type { Screens } from '../../app/screens.ts'

export const screens: Screens = {
  '/systemManagement/timingTask': () => import('./TimerList.tsx'),
}
