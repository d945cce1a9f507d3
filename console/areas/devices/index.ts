import type { Screens } from '../../app/screens.ts'

export const screens: Screens = {
  '/projectManagement/deviceManagement': () => import('./DeviceList.tsx'),
  '/projectManagement/devicePointList': () => import('./DevicePage.tsx'),
}
