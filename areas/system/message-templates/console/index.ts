import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { almPushRecord } from '../contract.ts'

/** Sent messages with recipients and results; all, or those of one subscription. */
export const sent = list(almPushRecord, ['Title', 'Method', 'Target', 'SendStatus', 'ErrorText', 'RetryCount', 'SendTime'], {
  states: { SendStatus: { 0: 'offline', 3: 'alarm', 4: 'offline', 5: 'warning' } },
  looks: async () => ({ cells: (await import('./reason.ts')).cells }),
  filters: ['Method', 'SendStatus'],
  readOnly: true,
  anyTenant: true,
})

export const screens: Screens = { '/systemManagement/messageTemplate': () => import('./MessageTemplates.tsx') }
