import type { FastifyInstance } from 'fastify'
import { alarmCalls } from '../../../contract/areas/alarms.ts'
import { serve } from '../../http/serve.ts'
import { acknowledge, handle, statistics } from './service.ts'

export const alarmRoutes = (app: FastifyInstance) => {
  serve(app, alarmCalls.acknowledge, ({ db, actor, body }) => acknowledge(db, actor, body.Ids))
  serve(app, alarmCalls.handle, ({ db, actor, body }) => handle(db, actor, body.Ids, body.HandleDesc))
  serve(app, alarmCalls.statistics, ({ db, actor }) => statistics(db, actor))
}
