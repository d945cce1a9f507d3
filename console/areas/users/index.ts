import type { Screens } from '../../app/screens.ts'

export const screens: Screens = {
  '/systemManagement/user': () => import('./UserList.tsx'),
  '/systemManagement/personal/info': () => import('./Account.tsx'),
}
