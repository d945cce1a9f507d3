import type { Allowed } from '../../../../server/channels/outbound.ts'
import type { Context } from '../../../../server/context.ts'
import { openPanelBroker, type PanelBroker } from './broker.ts'
import { deviceVncRoutes } from './routes.ts'

/** Starts the broker for field panels. Close the broker before the HTTP server, which waits for open sockets. */
export const startPanels = (c: Context, allowed: Allowed): PanelBroker => {
  const broker = openPanelBroker({ ...c, allowed })
  c.routes.push((api) => deviceVncRoutes(api, { ...c, allowed, broker }))
  return broker
}
