import type { Context } from '../../../../server/context.ts'
import { coldFigureRoutes } from './routes.ts'

export const startColdFigures = (c: Context) => {
  c.routes.push((app) => coldFigureRoutes(app, c))
}
