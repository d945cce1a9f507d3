import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import { gateway } from '../contract.ts'

export const states: Record<'OnlineStatus' | 'ConfigStatus', Record<number, Condition>> = {
  OnlineStatus: { 0: 'offline', 2: 'offline' },
  ConfigStatus: { 1: 'warning', 3: 'alarm' },
}
const page = ({ Id }: { Id: number }) => `/projectManagement/gatewayPreView?Id=${Id}`

export const gateways = list(gateway, ['GatewayName', 'OnlineStatus', 'ConfigStatus', 'SN', 'ProjectId', 'LastHeartbeatTime'], {
  states,
  filters: ['ProjectId'],
  link: page,
  anyTenant: true,
  actions: {
    open: { icon: 'open', to: page },
    'button.push': { icon: 'push', needs: 'm10102.push', dialog: () => import('../../points/console/PushDialog.tsx') },
    'button.resetKey': { icon: 'resetKey', needs: 'm10102.resetKey', danger: true, dialog: () => import('./Enrolment.tsx') },
  },
  buttons: {
    'gateway.addMany': { icon: 'list', needs: 'm10102.add', dialog: () => import('./AddMany.tsx') },
    'connect.title': { icon: 'open', needs: 'm10103.add', to: '/projectManagement/gatewayManagement?connect' },
  },
  added: { needs: 'm10102.resetKey', dialog: async () => ({ default: (await import('./Enrolment.tsx')).FirstKey }) },
})
