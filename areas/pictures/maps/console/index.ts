import { list } from '../../../../console/kernel/plainScreens.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import type { Screens } from '../../../../console/shell/screens.ts'
import { mapLayer } from '../contract.ts'

/** Part of a form with the fields Longitude and Latitude. */
export const PositionMap = lazyScreen(() => import('./PositionMap.tsx'), null)

/** Projects on a map, as a part of another screen. */
export const ProjectMap = lazyScreen(() => import('./ProjectMap.tsx'), null)

/** The form of a company's map server. */
export const TileSettings = lazyScreen(() => import('./TileSettings.tsx'), null)

export const screens: Screens = {
  '/visualizationCenter/map': () => import('./MapScreen.tsx'),
  '/visualizationCenter/mapLayers': list(mapLayer, ['LayerName', 'Kind', 'ProjectId', 'IsShown'], {
    filters: ['Kind', 'ProjectId'],
    looks: () => import('./layerForm.tsx'),
  }),
}

/** For monitors: three parts, each also at its own address. */
export const fixedScreens: Screens = {
  '/visualizationCenter/dataMap': () => import('./DataMap.tsx'),
  '/visualizationCenter/dataMap/:view': () => import('./DataMap.tsx'),
}
