import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import type { Screens } from '../../../../console/shell/screens.ts'

/** Part of a form with the fields Longitude and Latitude. */
export const PositionMap = lazyScreen(() => import('./PositionMap.tsx'), null)

/** The form of a company's map server. */
export const TileSettings = lazyScreen(() => import('./TileSettings.tsx'), null)

export const screens: Screens = { '/visualizationCenter/map': () => import('./MapScreen.tsx') }
