import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import type { Screens } from '../../../../console/shell/screens.ts'
import { mtnUpKeepOrder, mtnUpKeepPlan, upkeepCalls } from '../contract.ts'
import { planScreens } from './planScreens.ts'

export { type Planned, planScreens } from './planScreens.ts'
/** Form of a plan; other kinds extend it. */
export const planLooks = () => import('./planLooks.tsx')

/** Open planned orders of one kind, as a section of my orders. */
export const MyPlanned = lazyScreen(() => import('./MyPlanned.tsx'), null)

const path = '/maintenanceCenter/maintain/order'
const { plans, orders } = planScreens({ plan: mtnUpKeepPlan, order: mtnUpKeepOrder, calls: upkeepCalls, path, looks: planLooks })
export const screens: Screens = { '/maintenanceCenter/maintain/plan': plans, [path]: orders }
