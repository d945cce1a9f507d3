import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/firewall': () => import('./Ports.tsx') }
