import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/energyManagement/energyAccount': () => import('./Account.tsx'),
}
