import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/systemManagement/user': () => import('./UserList.tsx'),
  '/systemManagement/personal/info': () => import('./Account.tsx'),
}
