import type { FastifyInstance } from 'fastify'
import { sendFile } from '../../../../server/http/files.ts'
import { assertHolds, serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { shiftCalls } from '../contract.ts'
import { dayTemplate, readDays } from './daySheet.ts'

export const shiftRoutes = (app: FastifyInstance) => {
  serve(app, shiftCalls.days, ({ request }) =>
    app.uploads.receiveImport(request, async (file, { actor }) => {
      assertHolds(actor, [shiftCalls.days.permission])
      return readDays(file, languageOf(request), actor.EnterpriseId)
    }),
  )
  serve(app, shiftCalls.template, async ({ actor, query, request, reply }) => {
    const [language, format] = [languageOf(request), query.Format ?? 'xlsx']
    return sendFile(reply, `${word(language, 'shift.sheet')}.${format}`, await dayTemplate(language, format, actor))
  })
}
