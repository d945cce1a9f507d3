import type { FastifyInstance } from 'fastify'
import { headersOf } from '../../../../server/http/headers.ts'
import { serve } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud, pageInTurn } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { mapCalls, mapLayer, mostOnMap } from '../contract.ts'
import type { openAddresses } from './addresses.ts'
import { devicesOnMap } from './devices.ts'
import { gatewaysOnMap } from './gateways.ts'
import { assertMayWrite, drawnLayers, layers } from './layers.ts'
import { projectPage, projectsOnMap } from './service.ts'
import type { openTiles } from './tiles.ts'

export const mapRoutes = (app: FastifyInstance) => {
  serve(app, mapCalls.projects, ({ db, actor, query }) => pageInTurn({ size: mostOnMap }, actor, () => projectsOnMap(db, actor, query)))
  serve(app, mapCalls.gateways, ({ db, actor }) => pageInTurn({ size: mostOnMap }, actor, () => gatewaysOnMap(db, actor)))
  serve(app, mapCalls.devices, ({ db, actor }) => pageInTurn({ size: mostOnMap }, actor, () => devicesOnMap(db, actor)))
  serve(app, mapCalls.projectPage, ({ db, actor, request }) => {
    const listing = readListing(request.query as Record<string, unknown>)
    return pageInTurn(listing, actor, () => projectPage(db, actor, listing))
  })
}

export const addressRoutes = (app: FastifyInstance, find: ReturnType<typeof openAddresses>) =>
  serve(app, mapCalls.find, ({ actor, body }) => find(actor, body.Address))

/** `sign` returns a temporary address of a stored file. */
type LayerNeeds = { sign: (actor: Actor, path: string) => Promise<{ Url: string }> }
export const layerRoutes = (app: FastifyInstance, { sign }: LayerNeeds) => {
  crud(app, mapLayer, {
    own: {
      ...layers,
      remove: async (db, actor, ids) => {
        for (const id of ids) assertMayWrite(actor, (await layers.find(db, actor, id)).ProjectId)
        return layers.remove(db, actor, ids)
      },
    },
  })
  serve(app, mapCalls.layers, ({ db, actor }) => drawnLayers(db, actor, async (path) => (await sign(actor, path)).Url))
}

export const tileRoutes = (app: FastifyInstance, tiles: ReturnType<typeof openTiles>) => {
  serve(app, mapCalls.tiles, ({ actor }) => tiles.source(actor))
  serve(app, mapCalls.testTiles, ({ actor }) => tiles.test(actor))
  serve(app, mapCalls.tile, async ({ actor, query, reply }) => {
    const body = await tiles.tile(actor, query)
    // The URL contains the mark of its map server, so that caches never mix map servers.
    return reply.headers(headersOf.ownFile).type('application/octet-stream').send(body)
  })
}
