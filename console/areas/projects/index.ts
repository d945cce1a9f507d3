import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/projectManagement/projectConfig': () => import('./ProjectList.tsx') }
