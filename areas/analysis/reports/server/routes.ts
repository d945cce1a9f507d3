import type { FastifyInstance } from 'fastify'
import { type ExportTask, taskKind } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { reportCalls } from '../contract.ts'

/** The tasks of the background, which write files. */
type Tasks = { start(actor: Actor, kind: number, ask: object, given: { language: Language; waits: boolean }): Promise<ExportTask> }

export const reportRoutes = (app: FastifyInstance, exports: Tasks) => {
  serve(app, reportCalls.start, ({ actor, body, request }) => {
    const { Waits, ...ask } = body
    return exports.start(actor, taskKind.report, ask, { language: languageOf(request), waits: Waits === 1 })
  })
}
