import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { netProtocol } from '../../../configuration/channels/contract.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { alarmCalls, gatewayAlarmCalls } from '../contract.ts'
import { analyse } from './analysis.ts'
import { groups } from './groups.ts'
import { assign, choices, comment, comments, handleAndPlan, markFalse, namesOf, plan, shelve, usersByName } from './handling.ts'
import { acknowledge, handle, statistics } from './service.ts'
import { timeline } from './timeline.ts'

export const alarmRoutes = (app: FastifyInstance) => {
  serve(app, gatewayAlarmCalls.statistics, ({ db, actor }) => statistics(db, actor, 2))
  serve(app, gatewayAlarmCalls.handle, ({ db, actor, body }) => handle(db, actor, body.Ids, body.HandleDesc))
  serve(app, alarmCalls.acknowledge, ({ db, actor, body }) => acknowledge(db, actor, body.Ids))
  serve(app, alarmCalls.handle, ({ db, actor, body }) => handle(db, actor, body.Ids, body.HandleDesc))
  serve(app, alarmCalls.handleAndPlan, ({ db, actor, body }) => handleAndPlan(db, actor, body))
  serve(app, alarmCalls.choices, ({ db, actor, query }) => choices(db, actor, query.Id))
  serve(app, alarmCalls.plan, ({ db, actor, query }) => plan(db, actor, query.AlmPlanId))
  serve(app, alarmCalls.shelve, ({ db, actor, body }) => shelve(db, actor, body.Ids, body.Hours, body.Reason ?? ''))
  serve(app, alarmCalls.markFalse, ({ db, actor, body }) => markFalse(db, actor, body.Ids, body.IsFalse))
  serve(app, alarmCalls.assign, ({ db, actor, body }) => assign(db, actor, body.Ids, body.UserId))
  serve(app, alarmCalls.comment, ({ db, actor, body }) => comment(db, actor, body.Id, body.Text, body.Files ?? []))
  serve(app, alarmCalls.comments, ({ db, actor, query }) => comments(db, actor, query.Id))
  serve(app, alarmCalls.timeline, ({ db, actor, query }) => timeline(db, actor, query.Id))
  serve(app, alarmCalls.statistics, ({ db, actor }) => statistics(db, actor))
  serve(app, alarmCalls.analyse, ({ db, actor, query, request }) => analyse(db, actor, languageOf(request), query))
  serve(app, alarmCalls.groups, ({ db, actor, query }) => groups(db, actor, query.By, query.AlarmType))
  serve(app, alarmCalls.users, ({ db, actor }) => usersByName(db, actor))
  serve(app, alarmCalls.projects, ({ db, actor }) => namesOf(db, actor, project as never, 'project', 'ProjectName'))
  serve(app, alarmCalls.gateways, ({ db, actor }) => namesOf(db, actor, gateway as never, 'gateway', 'GatewayName'))
  serve(app, alarmCalls.devices, ({ db, actor }) => namesOf(db, actor, device as never, 'device', 'DeviceName'))
  serve(app, alarmCalls.protocols, ({ db, actor }) => namesOf(db, actor, netProtocol as never, 'net_protocol', 'ProtocolName'))
  serve(app, alarmCalls.serials, ({ db, actor }) => namesOf(db, actor, gateway as never, 'gateway', 'SN'))
}
