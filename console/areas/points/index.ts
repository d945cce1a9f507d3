import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/projectManagement/pointManagement': () => import('./PointScreen.tsx') }
