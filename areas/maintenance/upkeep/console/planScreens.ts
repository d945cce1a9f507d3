// Screens of plans and their orders, for every kind of planned order.

import type { Shown } from '../../../../console/kernel/api.ts'
import { detail, list, orDetail, type PlainOptions } from '../../../../console/kernel/plainScreens.ts'
import type { Lazy } from '../../../../console/shell/lazyScreen.tsx'
import type { Condition } from '../../../../console/theme/State.tsx'
import type { mtnUpKeepOrder, mtnUpKeepPlan, planCalls } from '../contract.ts'

type Order = typeof mtnUpKeepOrder
type Plan = typeof mtnUpKeepPlan
export type Planned = {
  plan: Plan
  order: Order
  calls: ReturnType<typeof planCalls>
  /** Address of the orders. */
  path: string
  facts?: readonly (keyof Order['fields'] & string)[]
  /** Tabs after the checklist, by the key of their label. */
  tabs?: Record<string, Lazy<{ row: Shown<Order> }>>
  /** Cells and inputs of the plan form. */
  looks: PlainOptions<Plan>['looks'] & {}
}
const orderStates: { Status: Record<number, Condition> } = { Status: { 3: 'warning', 4: 'alarm', 5: 'offline' } }
/** Devices and equipment of the selected project. */
const placesOf = (ProjectId: number | undefined) => ({ DeviceId: { ProjectId }, EquipmentId: { ProjectId } })
const planStates: { PlanStatus: Record<number, Condition> } = { PlanStatus: { 0: 'offline', 2: 'offline' } }

export const planScreens = ({ plan, order, calls, path, facts = [], tabs = {}, looks }: Planned) => {
  const setStatus = async (Id: number, PlanStatus: 0 | 1) =>
    (await import('../../../../console/session/request.ts')).invoke(calls.planStatus, { body: { Id, PlanStatus } })
  const orders = list(
    order,
    ['OrderNo', 'Title', 'Status', 'DeviceId', 'PlanTime', 'DueTime', 'AssignUserId', 'AbnormalCount', 'ProjectId'],
    {
      states: orderStates,
      filters: ['Status', 'ProjectId', 'PlanId', 'EquipmentId'],
      link: ({ Id }) => `${path}?Id=${Id}`,
      wraps: ['Title'],
      refine: ({ ProjectId }) => ({ where: placesOf(Number(ProjectId) || undefined) }),
      looks: async () => (await import('./orderLooks.tsx')).listLooks,
    },
  )
  const orderPage = detail(order, {
    states: orderStates,
    facts: ['Title', 'EquipmentId', 'DeviceId', 'PlanId', 'PlanTime', 'DueTime', ...facts],
    tabs: {
      ...tabs,
      'checklist.title': async () => ({ default: (await import('./orderLooks.tsx')).checklistOf(calls) }),
      'work.title': async () => ({ default: (await import('./orderLooks.tsx')).WorkTab }),
      'order.timeline': async () => ({ default: (await import('./orderLooks.tsx')).timelineOf(order) }),
    },
    looks: async () => (await import('./orderLooks.tsx')).pageLooksOf(order, calls),
  })
  const plans = list(
    plan,
    ['PlanName', 'PlanStatus', 'CycleType', 'NextTime', 'HourUsed', 'LastTime', 'ProjectId', 'AssignUserId', 'TeamId'],
    {
      states: planStates,
      filters: ['PlanStatus', 'ProjectId', 'CycleType'],
      actions: {
        'upkeep.enable': {
          needs: `${plan.permission}.edit`,
          when: ({ PlanStatus }) => PlanStatus !== 1,
          run: (row) => setStatus(row.Id, 1),
        },
        'upkeep.disable': {
          needs: `${plan.permission}.edit`,
          when: ({ PlanStatus }) => PlanStatus === 1,
          run: (row) => setStatus(row.Id, 0),
        },
        'upkeep.orders': { icon: 'below', needs: 'm10601', to: ({ Id }) => `${path}?PlanId=${Id}` },
      },
      looks,
    },
  )
  return { plans, orders: orDetail(orders, orderPage) }
}
