import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/powerManagement/coldStorageReport': () => import('./Check.tsx'),
}
