import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/region': () => import('./RegionScreen.tsx') }
