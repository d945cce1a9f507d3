import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/position': () => import('./PostList.tsx') }
