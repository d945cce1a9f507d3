import type { Context } from '../../../../server/context.ts'
import { openAttempts } from '../../../../server/identity/attempts.ts'
import { sharedRoutes } from './routes.ts'

export const startShared = (c: Context) =>
  void c.routes.push((api) => sharedRoutes(api, { ...c, attempts: openAttempts(c.database.system, c.clock) }))
