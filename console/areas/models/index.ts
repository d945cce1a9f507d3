import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/projectManagement/pointTempManagement': () => import('./ModelList.tsx') }
