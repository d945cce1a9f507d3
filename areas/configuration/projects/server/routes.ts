import type { FastifyInstance } from 'fastify'
import type { Body } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { planInTurn } from '../../models/server/service.ts'
import { mostCopied, projectCalls } from '../contract.ts'
import { copyPlan, copyProject } from './service.ts'

type Copy = Body<typeof projectCalls.copy>
type Needs = {
  /** Starts a task that copies a project. */
  copyAsTask(db: Db, actor: Actor, given: Copy): Promise<{ Id: number; TaskId: number; Gateways: number }>
}

export const projectRoutes = (app: FastifyInstance, { copyAsTask }: Needs) => {
  serve(app, projectCalls.copyPlan, ({ db, actor, query }) => planInTurn(actor, () => copyPlan(db, actor, query.ProjectId)))
  serve(app, projectCalls.copy, ({ db, actor, body, request }) => {
    if (body.AsTask) return copyAsTask(db, { ...actor, language: languageOf(request) }, body)
    if (body.Gateways.length > mostCopied)
      throw new FieldFaults([{ field: 'Gateways', rule: 'project.copyMany', values: { max: mostCopied } }])
    return planInTurn(actor, () => copyProject(db, actor, body))
  })
}
