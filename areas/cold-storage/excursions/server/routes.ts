import type { FastifyInstance } from 'fastify'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { coldExcursion } from '../contract.ts'
import { decided } from './decided.ts'

export const excursionRoutes = (app: FastifyInstance, { clock }: { clock: () => number }) => {
  crud(app, coldExcursion, {
    acts: {
      /** Who decides answers for the figures as they were read: when they change in the same moment, it is refused. */
      dispose: async ({ db, actor, body, row }) => {
        const Cause = String(body.Cause).trim()
        if (!Cause) throw new FieldFaults([{ field: 'Cause', rule: 'required' }])
        await decided.update(db, actor, row.Id, {
          ...{ UpdateStamp: row.UpdateStamp, Disposition: body.Disposition, Cause, IsChanged: 0 },
          ...{ DisposeUserId: actor.UserId, DisposeTime: new Date(clock()) },
        })
      },
    },
  })
}
