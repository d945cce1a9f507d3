import type { FastifyInstance } from 'fastify'
import { headersOf } from '../../../../server/http/headers.ts'
import { serve } from '../../../../server/http/serve.ts'
import { pageInTurn } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { mapCalls, mostOnMap } from '../contract.ts'
import { projectPage, projectsOnMap } from './service.ts'
import type { openTiles } from './tiles.ts'

export const mapRoutes = (app: FastifyInstance) => {
  serve(app, mapCalls.projects, ({ db, actor, query }) => pageInTurn({ size: mostOnMap }, actor, () => projectsOnMap(db, actor, query)))
  serve(app, mapCalls.projectPage, ({ db, actor, request }) => {
    const listing = readListing(request.query as Record<string, unknown>)
    return pageInTurn(listing, actor, () => projectPage(db, actor, listing))
  })
}

export const tileRoutes = (app: FastifyInstance, tiles: ReturnType<typeof openTiles>) => {
  serve(app, mapCalls.tiles, ({ actor }) => tiles.source(actor))
  serve(app, mapCalls.testTiles, ({ actor }) => tiles.test(actor))
  serve(app, mapCalls.tile, async ({ actor, query, reply }) => {
    const body = await tiles.tile(actor, query)
    // Named with the mark of its map server, so that another one's is never shown in its place.
    return reply.headers(headersOf.ownFile).type('application/octet-stream').send(body)
  })
}
