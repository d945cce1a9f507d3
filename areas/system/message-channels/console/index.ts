import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/projectManagement/setProtocolPro': () => import('./ChannelPage.tsx') }
