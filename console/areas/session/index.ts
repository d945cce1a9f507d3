import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/personal/password': () => import('./Password.tsx') }
export const fixedScreens: Screens = { '/profile/index': () => import('./Profile.tsx') }
