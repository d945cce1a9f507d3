import { detail, list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import type { Screens } from '../../../../console/shell/screens.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import { mtnUpKeepOrder, mtnUpKeepPlan } from '../contract.ts'

const orderStates: { Status: Record<number, Condition> } = { Status: { 3: 'warning', 4: 'alarm', 5: 'offline' } }
const planStates: { PlanStatus: Record<number, Condition> } = { PlanStatus: { 0: 'offline', 2: 'offline' } }
const page = ({ Id }: { Id: number }) => `/maintenanceCenter/maintain/order?Id=${Id}`

const orders = list(
  mtnUpKeepOrder,
  ['OrderNo', 'Title', 'Status', 'DeviceId', 'PlanTime', 'DueTime', 'AssignUserId', 'AbnormalCount', 'ProjectId'],
  {
    states: orderStates,
    filters: ['Status', 'ProjectId', 'PlanId'],
    link: page,
    wraps: ['Title'],
  },
)
const orderPage = detail(mtnUpKeepOrder, {
  states: orderStates,
  facts: ['Title', 'DeviceId', 'PlanId', 'PlanTime', 'DueTime'],
  tabs: { 'upkeep.checklist': async () => ({ default: (await import('./orderLooks.tsx')).Checklist }) },
  looks: async () => (await import('./orderLooks.tsx')).pageLooks,
})
const plans = list(mtnUpKeepPlan, ['PlanName', 'PlanStatus', 'CycleType', 'NextTime', 'LastTime', 'ProjectId', 'AssignUserId', 'TeamId'], {
  states: planStates,
  filters: ['PlanStatus', 'ProjectId', 'CycleType'],
  actions: {
    'upkeep.enable': {
      needs: 'm10603.edit',
      when: ({ PlanStatus }) => PlanStatus !== 1,
      run: async (row) => (await import('./setStatus.ts')).setStatus(row.Id, 1),
    },
    'upkeep.disable': {
      needs: 'm10603.edit',
      when: ({ PlanStatus }) => PlanStatus === 1,
      run: async (row) => (await import('./setStatus.ts')).setStatus(row.Id, 0),
    },
    'upkeep.orders': { icon: 'below', needs: 'm10601', to: ({ Id }) => `/maintenanceCenter/maintain/order?PlanId=${Id}` },
  },
  looks: () => import('./planLooks.tsx'),
})

/** What the person is to do, as a part of my orders. `due` shows when. */
export const MyUpkeep = lazyScreen(() => import('./MyUpkeep.tsx'), null)

export const screens: Screens = {
  '/maintenanceCenter/maintain/plan': plans,
  '/maintenanceCenter/maintain/order': orDetail(orders, orderPage),
}
