import type { Context } from '../../../../server/context.ts'
import { accessRoutes } from './routes.ts'
import { type AccessNeeds, startAccesses } from './sender.ts'

export const startThirdParties = (c: Context, needs: Pick<AccessNeeds, 'allowed' | 'stores'>) => {
  const { database, vault, telemetry, clock, log, opened, routes } = c
  opened(startAccesses({ database, vault, telemetry, clock, log, ...needs }), (sender) => sender.stop())
  routes.push((api) => accessRoutes(api, c))
}
