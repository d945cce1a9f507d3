import type { FastifyInstance } from 'fastify'
import { crud } from '../../../../server/resource/crud.ts'
import { share, WithToken } from '../contract.ts'
import { createShare } from './service.ts'

export const shareRoutes = (app: FastifyInstance, { clock }: { clock: () => number }) =>
  crud(app, share, {
    own: { create: (db, actor, given) => createShare(db, actor, given, clock()) },
    shapes: { made: WithToken },
  })
