import type { Context } from '../../../../server/context.ts'
import { openAttempts } from '../../../../server/identity/attempts.ts'
import { televisionRoutes } from './routes.ts'

export const startTelevisions = (c: Context) =>
  void c.routes.push((api) => televisionRoutes(api, { ...c, attempts: openAttempts(c.database.system, c.clock) }))
