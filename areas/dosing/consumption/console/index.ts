import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/drugManagement/medicineOverView': () => import('./Overview.tsx'),
  '/drugManagement/drugReport': () => import('./Report.tsx'),
}
