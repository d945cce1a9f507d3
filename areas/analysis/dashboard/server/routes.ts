import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { dashboardCalls } from '../contract.ts'
import { alarmsByDay, alarmsByStatus, devices, gateways, projectsByCity } from './service.ts'

export const dashboardRoutes = (app: FastifyInstance) => {
  serve(app, dashboardCalls.alarmsByStatus, ({ db, actor }) => alarmsByStatus(db, actor))
  serve(app, dashboardCalls.alarmsByDay, ({ db, actor, query }) => alarmsByDay(db, actor, query.Days ?? 14))
  serve(app, dashboardCalls.gateways, ({ db, actor }) => gateways(db, actor))
  serve(app, dashboardCalls.devices, ({ db, actor }) => devices(db, actor))
  serve(app, dashboardCalls.projectsByCity, ({ db, actor }) => projectsByCity(db, actor))
}
