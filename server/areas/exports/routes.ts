import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { exportedResources } from '../../../contract/areas/exports.ts'
import { call } from '../../../contract/base/call.ts'
import { resources } from '../../../contract/index.ts'
import { sendFile } from '../../http/files.ts'
import { serve } from '../../http/serve.ts'
import { word } from '../../http/words.ts'
import { languageOf } from '../../http/wrapper.ts'
import { readListing } from '../../resource/list.ts'
import { csvOf, exported, xlsxOf } from './service.ts'

const anything = Type.Object({}, { additionalProperties: true })
/**
 * `<path>/Output` of the lists that may leave: what its filters leave, in the order of the list, as `Format=xlsx` (default) or `csv`,
 * with the columns that `Fields` names. Whoever may read the list may take it along.
 */
export const exportRoutes = (app: FastifyInstance) => {
  for (const r of resources.filter(({ name }) => exportedResources.includes(name)))
    serve(
      app,
      call({
        method: 'GET',
        path: `${r.path}/Output`,
        aliases: r.aliases.map((a) => `${a}/Output`),
        permission: r.permission,
        query: anything,
      }),
      async ({ db, actor, request, reply }) => {
        const { Format, Fields, ...rest } = request.query as Record<string, unknown>
        const language = languageOf(request)
        const asked = { names: exported(r, actor, Fields ? String(Fields).split(',') : undefined), listing: readListing(rest), language }
        const title = word(language, `menu.${r.permission}`)
        return Format === 'csv'
          ? sendFile(reply, `${title}.csv`, await csvOf(db, actor, r, asked))
          : sendFile(reply, `${title}.xlsx`, await xlsxOf(db, actor, r, asked))
      },
    )
}
