import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/systemManagement/log': () => import('./LogScreen.tsx') }
