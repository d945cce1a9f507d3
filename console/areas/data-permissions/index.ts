import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/data': () => import('./PermissionList.tsx') }
