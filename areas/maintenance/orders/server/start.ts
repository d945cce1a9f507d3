// Serves orders, and opens those that rules want.
import type { Context } from '../../../../server/context.ts'
import { figureRoutes, orderRoutes } from './routes.ts'
import { startOrders } from './worker.ts'

export const startMaintenance = (c: Context) => {
  c.opened(startOrders({ ...c, delivery: c.channels.delivery }), (worker) => worker.stop())
  c.routes.push(
    (app) => orderRoutes(app, c),
    (app) => figureRoutes(app, c),
  )
}
