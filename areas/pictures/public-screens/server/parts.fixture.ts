// What shared screens need besides the database: a map server for tests, and files in a folder.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { allowedBy } from '../../../../server/channels/outbound.ts'
import type { Database } from '../../../../server/database/db.ts'
import { openFolder } from '../../../../server/files/store.ts'
import { openAttempts } from '../../../../server/identity/attempts.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { openVault } from '../../../../server/identity/vault.ts'
import { pointRoutes } from '../../../configuration/points/server/routes.ts'
import { fileRoutes } from '../../../system/files/server/routes.ts'
import { filesService } from '../../../system/files/server/service.ts'
import { boardRoutes } from '../../boards/server/routes.ts'
import { flowchartRoutes } from '../../flowcharts/server/routes.ts'
import { layerRoutes, mapRoutes, tileRoutes } from '../../maps/server/routes.ts'
import { openTileCache } from '../../maps/server/tileCache.ts'
import { openTiles } from '../../maps/server/tiles.ts'
import { shareRoutes } from '../../shares/server/routes.ts'
import { televisionRoutes } from '../../televisions/server/routes.ts'
import { sharedRoutes } from './routes.ts'

/** Only the first bytes of a PNG matter here. */
const png = Buffer.alloc(64)
png.write('\x89PNG\r\n\x1a\n', 'latin1')
png.writeUInt32BE(256, 16)
png.writeUInt32BE(256, 20)

export const openParts = async (clock: () => number, steady = clock) => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-screens-'))
  const mapServer = createServer((_, reply) => void reply.end(png))
  mapServer.listen(0, '127.0.0.1')
  await once(mapServer, 'listening')
  const { port } = mapServer.address() as AddressInfo
  const cache = await openTileCache({ folder: join(folder, 'tiles'), clock, mostBytes: 2 ** 20 })
  const store = openFolder(join(folder, 'files'))
  return {
    tileUrl: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`,
    png,
    /** The areas with shared screens, using the latest values that the test supplies. */
    routes: (database: Database, sessions: Sessions, telemetry: never): ((api: FastifyInstance) => void)[] => {
      const files = filesService(database, store, randomBytes(32), clock)
      const attempts = openAttempts(database.system, clock)
      const allowed = allowedBy([`127.0.0.1/32:${port}`])
      const tiles = openTiles({ database, cache, clock, steady, vault: openVault(database, Buffer.alloc(32, 7)), allowed })
      return [
        pointRoutes,
        mapRoutes,
        (api) => tileRoutes(api, tiles),
        (api) => layerRoutes(api, files),
        (api) => fileRoutes(api, files, sessions),
        (api) => flowchartRoutes(api, { ...(telemetry as object), write: undefined, clock } as never),
        (api) => boardRoutes(api, { telemetry, copyFile: (actor, path) => files.copy(actor, path) }),
        (api) => shareRoutes(api, { clock }),
        (api) => televisionRoutes(api, { attempts, steady }),
        (api) => sharedRoutes(api, { database, sessions, telemetry, attempts, tiles, store, clock, steady }),
      ]
    },
    close: () => {
      mapServer.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
