import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'

export { addressInputOf } from './AddressInput.tsx'
export { LineSettings, useChannelForms } from './channelForm.tsx'
export type { Channel } from './TraceDialog.tsx'
export const TraceDialog = lazyScreen(() => import('./TraceDialog.tsx'), null)
export { useProtocol } from './useProtocol.ts'
