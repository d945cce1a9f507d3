import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/systemManagement/region': () => import('./RegionScreen.tsx') }
