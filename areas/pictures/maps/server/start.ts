import { join } from 'node:path'
import type { Allowed } from '../../../../server/channels/outbound.ts'
import type { Context } from '../../../../server/context.ts'
import { openAddresses } from './addresses.ts'
import { addressRoutes, layerRoutes, mapRoutes, tileRoutes } from './routes.ts'
import { openTileCache } from './tileCache.ts'
import { openTiles } from './tiles.ts'

const cacheBytes = 512 * 1024 * 1024

type Parts = { allowed: Allowed; addressUrl: string; files: Parameters<typeof layerRoutes>[1] }
export const startMaps = async (c: Context, { allowed, addressUrl, files }: Parts) => {
  const cache = await openTileCache({ folder: join(c.data, 'tiles'), clock: c.clock, mostBytes: cacheBytes })
  const tiles = openTiles({ ...c, cache, allowed })
  c.routes.push(
    mapRoutes,
    (api) => tileRoutes(api, tiles),
    (api) => layerRoutes(api, files),
    (api) => addressRoutes(api, openAddresses(c.database, addressUrl, c.steady)),
  )
  return tiles
}
