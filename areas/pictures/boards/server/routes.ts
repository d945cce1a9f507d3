import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud, idsOf } from '../../../../server/resource/crud.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { visualBoard, visualBoardCalls } from '../contract.ts'
import { type CopyFile, withImages } from './images.ts'
import type { Board } from './named.ts'
import { boardsService, boardWork, readData } from './service.ts'
import { listVersions } from './versions.ts'

type Values = Record<string, unknown>

type Needs = { telemetry: Pick<Telemetry, 'query' | 'latest' | 'withFormulas'>; copyFile: CopyFile }
export const boardRoutes = (app: FastifyInstance, { telemetry, copyFile }: Needs) => {
  const { find, rename, setDefault, stored } = boardsService
  crud(app, visualBoard, {
    own: boardWork,
    acts: {
      setdefault: ({ db, actor, row }) => setDefault(db, actor, row as unknown as Board, 1),
      canceldefault: ({ db, actor, row }) => setDefault(db, actor, row as unknown as Board, 0),
      updatetitle: ({ db, actor, row, body }) => rename(db, actor, row as unknown as Board, body.Title),
    },
  })
  serve(app, visualBoardCalls.save, async ({ db, actor, body }) => {
    const { CopyOf, ...given } = body as Values & { CopyOf?: number }
    const draft = CopyOf ? await withImages(copyFile, actor, await find(db, actor, CopyOf), given) : given
    return boardWork.create(db, actor, draft) as Promise<never>
  })
  serve(app, visualBoardCalls.update, async ({ db, actor, body }) => {
    const { Id } = body as { Id: number }
    await boardWork.update(db, actor, Id, body as Values)
    return find(db, actor, Id) as Promise<never>
  })
  serve(app, visualBoardCalls.remove, async ({ db, actor, request }) => ({
    Removed: await boardWork.remove(db, actor, idsOf(request.body)),
  }))
  serve(app, visualBoardCalls.default, ({ db, actor, query }) => boardsService.defaultOf(db, actor, query) as Promise<never>)
  serve(
    app,
    visualBoardCalls.defaults,
    ({ db, actor, request }) => boardsService.defaults(db, actor, request.query as Values) as Promise<never>,
  )
  serve(app, visualBoardCalls.history, async ({ db, actor, query }) => listVersions(db, actor, await stored(db, actor, query.Id), query))
  serve(app, visualBoardCalls.restore, ({ db, actor, body }) => boardsService.restore(db, actor, body) as Promise<never>)
  serve(app, visualBoardCalls.data, async ({ db, actor, body: { Id, ...asked }, request }) =>
    readData({ db, actor, language: languageOf(request), telemetry }, await stored(db, actor, Id), asked),
  )
}
