import type { Context } from '../../../../server/context.ts'
import { startReminders } from './reminders.ts'
import { roomRoutes } from './routes.ts'

export const startColdRooms = (c: Context) => {
  startReminders(c)
  c.routes.push((app) => roomRoutes(app, c))
}
