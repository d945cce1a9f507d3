import { list, settingsForm } from '../../../../console/kernel/plainScreens.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import type { Screens } from '../../../../console/shell/screens.ts'
import { mtnAlmTemplate } from '../../maintenance-alarm-templates/contract.ts'
import { orderClocks } from '../clocks.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import { statusConditions, urgencyConditions } from './conditions.ts'

/** Devices and equipment of the selected project. */
const placesOf = (ProjectId: number | undefined) => ({ DeviceId: { ProjectId }, EquipmentId: { ProjectId } })
const orders = list(mtnMaintenanceOrder, ['OrderNo', 'Title', 'Status', 'Urgency', 'DeviceId', 'AssignUserId', 'PlanFinishTime'], {
  states: { Status: statusConditions, Urgency: urgencyConditions },
  filters: [
    'Status',
    'Urgency',
    'ProjectId',
    'DeviceId',
    'EquipmentId',
    'AssignUserId',
    'TeamId',
    'Verified',
    'ReportTime',
    'FinishTime',
    'IsFailure',
    'OnTime',
    'FirstTime',
    'CauseType',
  ],
  link: ({ Id }) => `/maintenanceCenter/repair/repairOrder?Id=${Id}`,
  refine: ({ ProjectId }) => ({ hidden: ['GatewayId'], where: placesOf(Number(ProjectId) || undefined) }),
  around: () => import('./Around.tsx'),
  looks: async () => (await import('./orderLooks.tsx')).listLooks,
})

export const screens: Screens = {
  '/maintenanceCenter/workOrder': () => import('./MyOrders.tsx'),
  '/maintenanceCenter/repair/repairOrder': async () => {
    const [part, List, Page] = await Promise.all([import('../../../../console/kernel/DetailPage.tsx'), orders(), import('./OrderPage.tsx')])
    return { default: part.orDetail(List.default, Page.default) }
  },
  '/maintenanceCenter/pushSettings': list(mtnAlmTemplate, ['TemplateName', 'Event', 'AlarmPush', 'Enabled'], {
    filters: ['OrderKind', 'Event', 'Enabled'],
    wraps: ['AlarmPush'],
    refine: ({ Event }) => ({ hidden: [...(Event === 2 ? [] : ['LeadTime']), ...(Event === 8 ? ['OrderKind'] : [])] }),
    looks: () => import('./pushLooks.tsx'),
  }),
  '/maintenanceCenter/calendar': () => import('./Calendar.tsx'),
  '/maintenanceCenter/figures': () => import('./Figures.tsx'),
  '/maintenanceCenter/clocks': settingsForm(orderClocks, {
    inputs: { HoldReasons: lazyScreen(() => import('./HoldReasonsInput.tsx'), null) },
  }),
}
