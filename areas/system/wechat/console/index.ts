import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/systemManagement/configWeChat': () => import('./ChannelConfig.tsx') }
