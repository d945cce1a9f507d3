import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/projectManagement/setProtocolPro': () => import('./ChannelPage.tsx') }
