import type { Context } from '../../../../server/context.ts'
import { roomRoutes } from './routes.ts'

export const startColdRooms = (c: Context) => {
  c.routes.push((app) => roomRoutes(app, c))
}
