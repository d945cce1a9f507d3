import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/systemManagement/dictType': () => import('./TypeList.tsx'),
  '/systemManagement/dictContent': () => import('./ContentList.tsx'),
}
