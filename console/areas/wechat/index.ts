import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/configWeChat': () => import('./ChannelConfig.tsx') }
