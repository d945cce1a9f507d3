// Serves orders, and opens those that rules want.
import type { Context } from '../../../../server/context.ts'
import { figureRoutes, orderRoutes } from './routes.ts'
import type { Planned } from './service.ts'
import { startOrders } from './worker.ts'

/** `planned`: orders that plans make. */
export const startMaintenance = (c: Context, planned: Planned) => {
  c.opened(startOrders({ ...c, delivery: c.channels.delivery }), (worker) => worker.stop())
  c.routes.push(
    (app) => orderRoutes(app, { telemetry: c.telemetry, planned, clock: c.clock }),
    (app) => figureRoutes(app, c),
  )
}
