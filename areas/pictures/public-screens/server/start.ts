import type { Context } from '../../../../server/context.ts'
import { openAttempts } from '../../../../server/identity/attempts.ts'
import { sharedRoutes } from './routes.ts'
import type { Needs } from './service.ts'

export const startShared = (c: Context, parts: Pick<Needs, 'tiles' | 'store'>) =>
  void c.routes.push((api) => sharedRoutes(api, { ...c, ...parts, attempts: openAttempts(c.database.system, c.clock) }))
