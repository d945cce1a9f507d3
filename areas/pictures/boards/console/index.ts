import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/visualizationCenter/visualizationCenter': () => import('./BoardsScreen.tsx') }
