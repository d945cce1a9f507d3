import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import type { Screens } from '../../../../console/shell/screens.ts'
import { planLooks, planScreens } from '../../upkeep/console/index.ts'
import { rounds } from './rounds.ts'

/** Open rounds, as a section of my orders. */
export const MyRounds = lazyScreen(() => import('./MyRounds.tsx'), null)

const path = '/maintenanceCenter/patrol/order'
const { plans, orders } = planScreens({
  ...{ ...rounds, path },
  facts: ['PointsTotal'] as never,
  tabs: {
    'patrol.route': async () => ({ default: (await import('./Route.tsx')).RouteTab }),
    'patrol.curve': () => import('./Curves.tsx') as Promise<never>,
  },
  looks: async () => ({ ...(await planLooks()), ...(await import('./patrolLooks.tsx')).withRoute(await planLooks()) }),
})
export const screens: Screens = { '/maintenanceCenter/patrol/plan': plans, [path]: orders }
