import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/': () => import('./Home.tsx') }
