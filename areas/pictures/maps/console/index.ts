import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/visualizationCenter/map': () => import('./MapScreen.tsx') }
