import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/projectManagement/shareManagement': () => import('./SharesScreen.tsx') }
