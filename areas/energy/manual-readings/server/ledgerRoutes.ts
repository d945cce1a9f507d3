// What all ledgers serve: entries one by one, and as sheets.
import type { FastifyInstance } from 'fastify'
import type { Call } from '../../../../contract/call.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { assertHolds, serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { takeAlong } from '../../../system/exports/server/service.ts'
import type { entryCalls } from '../contract.ts'
import { entryCheck, type LedgerKind } from './entries.ts'
import { asSheet, importEntries, template } from './sheets.ts'

type SheetCalls = Pick<typeof entryCalls, 'template' | 'import' | 'output'>
/** `check`: what the area asks of an entry beyond its period. */
export const ledgerRoutes = (app: FastifyInstance, kind: LedgerKind, calls: SheetCalls, check: Check = entryCheck(kind)) => {
  const title = `menu.${kind.entries.permission}`
  const names = Object.keys(kind.sheet.fields)
  crud(app, kind.entries, { check })
  serve(app, calls.import, ({ query, request }) =>
    app.uploads.receiveImport(request, async (file, { actor, db }) => {
      assertHolds(actor, [(calls.import as Call).permission])
      return importEntries(kind, db, actor, { file, language: languageOf(request), preview: query.Preview === 1 })
    }),
  )
  serve(app, calls.template, async ({ actor, query, request, reply }) => {
    const [language, format] = [languageOf(request), query.Format ?? 'xlsx']
    return sendFile(reply, `${word(language, title)}.${format}`, await template(kind, language, format, actor))
  })
  serve(app, calls.output, ({ db, actor, request, reply }) => {
    const { Format, Fields: _, ...rest } = request.query as Record<string, unknown>
    const language = languageOf(request)
    const asked = { names, listing: readListing(rest), language }
    return takeAlong(db, actor, kind.sheet, {
      reply,
      title: word(language, title),
      format: Format,
      asked,
      filters: rest,
      list: asSheet(kind),
    })
  })
}
