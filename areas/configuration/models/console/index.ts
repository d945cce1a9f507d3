import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/projectManagement/pointTempManagement': () => import('./ModelList.tsx') }
