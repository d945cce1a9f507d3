import type { FastifyInstance } from 'fastify'
import { type ExportTask, taskKind } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { reckonInTurn } from '../../telemetry/server/service.ts'
import { reportCalls, reportTemplate } from '../contract.ts'
import type { Reader } from './build.ts'
import { checkTemplate, previewTemplate, restoreVersion, versionsOf } from './templates.ts'

/** The tasks of the background, which write files. */
type Tasks = { start(actor: Actor, kind: number, ask: object, given: { language: Language; waits: boolean }): Promise<ExportTask> }

export const reportRoutes = (app: FastifyInstance, exports: Tasks) => {
  serve(app, reportCalls.start, ({ actor, body, request }) => {
    const { Waits, ...ask } = body
    return exports.start(actor, taskKind.report, ask, { language: languageOf(request), waits: Waits === 1 })
  })
}

/** Templates of one's own, and what they come to. */
export const reportTemplateRoutes = (app: FastifyInstance, reader: Reader) => {
  crud(app, reportTemplate, { check: checkTemplate })
  serve(app, reportCalls.versions, ({ db, actor, query }) => versionsOf(db, actor, query.Id))
  serve(app, reportCalls.restoreVersion, ({ db, actor, body }) => restoreVersion(db, actor, body.Id, body.Version))
  serve(app, reportCalls.preview, async ({ actor, body, reply }) => {
    const document = await reckonInTurn(actor, () => previewTemplate(reader, actor, body))
    // A hundred thousand cells: a serialiser made from the schema tries each of them against its choices.
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
    return document
  })
}
