import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/productSeries/gatewaySN': () => import('./Serials.tsx') }
