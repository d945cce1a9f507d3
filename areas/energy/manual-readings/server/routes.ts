import type { FastifyInstance } from 'fastify'
import { sendFile } from '../../../../server/http/files.ts'
import { assertHolds, serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { takeAlong } from '../../../system/exports/server/service.ts'
import { energyInfoData, entryCalls } from '../contract.ts'
import { entryCheck } from './entries.ts'
import { checkData, readLedger, saveLedger } from './ledger.ts'
import { asSheet, importEntries, names, sheet, template } from './sheets.ts'

const title = `menu.${energyInfoData.permission}`

export const entryRoutes = (app: FastifyInstance) => {
  crud(app, energyInfoData, { check: entryCheck })
  serve(app, entryCalls.check, ({ db, actor, body, request }) => checkData(db, actor, body, languageOf(request)))
  serve(app, entryCalls.ledger, ({ db, actor, query }) => readLedger(db, actor, query))
  serve(app, entryCalls.save, ({ db, actor, body, request }) => saveLedger(db, actor, body, languageOf(request)))
  serve(app, entryCalls.import, ({ query, request }) =>
    app.uploads.receiveImport(request, async (file, { actor, db }) => {
      assertHolds(actor, [entryCalls.import.permission])
      return importEntries(db, actor, file, languageOf(request), query.Preview === 1)
    }),
  )
  serve(app, entryCalls.template, async ({ actor, query, request, reply }) => {
    const [language, format] = [languageOf(request), query.Format ?? 'xlsx']
    return sendFile(reply, `${word(language, title)}.${format}`, await template(language, format, actor.EnterpriseId))
  })
  serve(app, entryCalls.output, ({ db, actor, request, reply }) => {
    const { Format, Fields: _, ...rest } = request.query as Record<string, unknown>
    const language = languageOf(request)
    const asked = { names, listing: readListing(rest), language }
    return takeAlong(db, actor, sheet, { reply, title: word(language, title), format: Format, asked, filters: rest, list: asSheet })
  })
}
