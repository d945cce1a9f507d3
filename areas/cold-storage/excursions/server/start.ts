import type { Context } from '../../../../server/context.ts'
import { excursionRoutes } from './routes.ts'
import { startExcursions } from './worker.ts'

export const startColdExcursions = (c: Context) => {
  c.opened(startExcursions(c), (worker) => worker.stop())
  c.routes.push((app) => excursionRoutes(app, c))
}
