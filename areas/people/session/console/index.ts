import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/systemManagement/personal/password': () => import('./Password.tsx'),
  '/systemManagement/personal/question': () => import('./Questions.tsx'),
}
export const fixedScreens: Screens = { '/profile/index': () => import('./Profile.tsx') }
