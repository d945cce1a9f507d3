import { orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/protocolManagement/networkPlugin': orDetail(
    () => import('./SendersScreen.tsx'),
    () => import('./SenderPage.tsx'),
  ),
}
