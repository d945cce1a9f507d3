import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/projectManagement/deviceManagement': () => import('./DeviceList.tsx'),
  '/projectManagement/devicePointList': () => import('./DevicePage.tsx'),
}
