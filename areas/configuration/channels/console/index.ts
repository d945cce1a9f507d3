import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import type { Screens } from '../../../../console/shell/screens.ts'

export { addressInputOf } from './AddressInput.tsx'
export { LineSettings, useChannelForms } from './channelForm.tsx'
export { Plug } from './Plug.tsx'
export type { Channel } from './TraceDialog.tsx'
export const TraceDialog = lazyScreen(() => import('./TraceDialog.tsx'), null)
export { useProtocol } from './useProtocol.ts'

export const screens: Screens = { '/projectManagement/setProtocolPro': () => import('./ChannelPage.tsx') }
