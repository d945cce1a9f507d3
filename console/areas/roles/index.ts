import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/role': () => import('./RoleList.tsx') }
