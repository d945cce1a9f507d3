// Serves what was dosed, and keeps the stock up with it.
import type { Context } from '../../../../server/context.ts'
import { dosingRoutes } from './routes.ts'
import { startStockKeeping } from './worker.ts'

export const startDosing = (c: Context) => {
  c.opened(startStockKeeping(c), (worker) => worker.stop())
  c.routes.push((app) => dosingRoutes(app, c))
}
