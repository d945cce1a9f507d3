import { join } from 'node:path'
import type { Allowed } from '../../../../server/channels/outbound.ts'
import type { Context } from '../../../../server/context.ts'
import { mapRoutes, tileRoutes } from './routes.ts'
import { openTileCache } from './tileCache.ts'
import { openTiles } from './tiles.ts'

const cacheBytes = 512 * 1024 * 1024

export const startMaps = async (c: Context, allowed: Allowed) => {
  const cache = await openTileCache({ folder: join(c.data, 'tiles'), clock: c.clock, mostBytes: cacheBytes })
  const tiles = openTiles({ ...c, cache, allowed })
  c.routes.push(mapRoutes, (api) => tileRoutes(api, tiles))
}
