import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/personal/password': () => import('./Password.tsx') }
