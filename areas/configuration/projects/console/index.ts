import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { project } from '../contract.ts'

const gateways = ({ Id }: { Id: number }) => `/projectManagement/gatewayManagement?ProjectId=${Id}`

export const screens: Screens = {
  '/projectManagement/projectConfig': list(project, ['ProjectName', 'ProjectNo', 'RegionId', 'BelongOrganId', 'Address', 'Remark'], {
    filters: ['RegionId'],
    link: gateways,
    looks: () => import('./projectForm.tsx'),
    buttons: {
      'point.check': { icon: 'test', needs: 'm10104', dialog: () => import('../../points/console/CheckDialog.tsx') },
      'menu.m10123': { icon: 'open', needs: 'm10123', to: '/projectManagement/screenMonitor' },
    },
    actions: {
      'project.gateways': { icon: 'below', to: gateways },
      'project.history': { needs: 'm10102', dialog: () => import('./HistoryDialog.tsx') },
      'project.shifts': { needs: 'm10136', to: ({ Id }) => `/projectManagement/shifts?ProjectId=${Id}` },
      'project.copy': { needs: 'm10101.add', dialog: () => import('./CopyDialog.tsx') },
    },
  }),
}
