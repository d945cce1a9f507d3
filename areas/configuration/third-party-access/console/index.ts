import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/projectManagement/thirdPartyAccess': () => import('./AccessList.tsx'),
}
