import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/visualizationCenter/visualizationCenter': () => import('./BoardsScreen.tsx') }

const other = () => import('./OtherAddress.tsx')
export const fixedScreens: Screens = {
  '/visualizationCenter/admin': other,
  '/visualizationCenter/editor': other,
  '/visualizationCenter/preview': other,
}
