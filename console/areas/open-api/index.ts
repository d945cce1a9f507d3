import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/interfaceManage': () => import('./Credentials.tsx') }
