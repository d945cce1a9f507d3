import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/systemManagement/data': () => import('./PermissionList.tsx') }
