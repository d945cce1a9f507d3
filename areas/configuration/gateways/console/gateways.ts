import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import { gateway } from '../contract.ts'

export const states: Record<'OnlineStatus' | 'ConfigStatus', Record<number, Condition>> = {
  OnlineStatus: { 0: 'offline', 2: 'offline' },
  ConfigStatus: { 1: 'warning', 3: 'alarm' },
}
const hasBox = ({ SN }: { SN: string | null }) => SN !== null
const page = ({ Id }: { Id: number }) => `/projectManagement/gatewayPreView?Id=${Id}`

export const gateways = list(gateway, ['GatewayName', 'OnlineStatus', 'ConfigStatus', 'SN', 'ProjectId', 'LastHeartbeatTime'], {
  states,
  filters: ['ProjectId'],
  link: page,
  anyTenant: true,
  cells: { SN: ({ SN }, t) => (SN === null ? t('gateway.released') : undefined) },
  actions: {
    open: { icon: 'open', to: page },
    'button.push': { icon: 'push', needs: 'm10102.push', when: hasBox, dialog: () => import('../../points/console/PushDialog.tsx') },
    'button.replace': { needs: 'm10102.replace', dialog: () => import('./ReplaceDialog.tsx') },
    'button.resetKey': { needs: 'm10102.resetKey', when: hasBox, danger: true, dialog: () => import('./Enrolment.tsx') },
    'button.unbind': { needs: 'm10102.unbind', when: hasBox, danger: true, dialog: () => import('./UnbindDialog.tsx') },
  },
  buttons: {
    'button.bind': { icon: 'label', needs: 'm10102.bind', to: '/projectManagement/gatewayManagement?bind' },
    'gateway.addMany': { icon: 'list', small: true, needs: 'm10102.add', dialog: () => import('./AddMany.tsx') },
    'connect.title': { icon: 'open', needs: 'm10103.add', to: '/projectManagement/gatewayManagement?connect' },
  },
  added: { needs: 'm10102.resetKey', dialog: async () => ({ default: (await import('./Enrolment.tsx')).FirstKey }) },
})
