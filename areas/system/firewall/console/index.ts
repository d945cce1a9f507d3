import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/systemManagement/firewall': () => import('./Ports.tsx') }
