import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/menu': () => import('./MenuScreen.tsx') }
