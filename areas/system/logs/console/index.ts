import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { log } from '../contract.ts'

/** The audit log: actors, times, origins and changes, and the integrity of the log itself. */
export const screens: Screens = {
  '/systemManagement/log': list(log, ['Time', 'UserNO', 'Verb', 'Resource', 'ObjectName', 'Ip'], {
    filters: ['Kind', 'Verb', 'Time', 'UserNO', 'Ip'],
    states: { Verb: { loginFailed: 'warning' } },
    looks: () => import('./logLooks.tsx'),
    actions: { 'log.items': { icon: 'compare', dialog: () => import('./Items.tsx') } },
    buttons: { 'log.verify': { icon: 'rights', needs: 'm10454.verify', dialog: () => import('./Verification.tsx') } },
    readOnly: true,
  }),
}
