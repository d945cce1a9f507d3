// Serves orders, and opens orders requested by alarm rules.
import type { Context } from '../../../../server/context.ts'
import { figureRoutes, orderRoutes } from './routes.ts'
import type { Planned } from './service.ts'
import { startOrders } from './worker.ts'

/** `planned`: orders created from plans. */
export const startMaintenance = (c: Context, planned: Planned) => {
  c.opened(startOrders({ ...c, delivery: c.channels.delivery }), (worker) => worker.stop())
  c.routes.push(
    (app) => orderRoutes(app, { telemetry: c.telemetry, planned, clock: c.clock }),
    (app) => figureRoutes(app, c),
  )
}
