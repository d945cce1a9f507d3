import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AnyObject, type Condition, call, LogicOP } from '../../../../contract/call.ts'
import { isExported } from '../../../../contract/exports.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { alarmInfo, gatewayAlarmCalls } from '../../../alarms/alarms/contract.ts'
import { productTask, productTaskCalls, productTaskRow } from '../../../configuration/product-tasks/contract.ts'
import { pointCheck, projectTask, projectTaskCalls } from '../../../configuration/tasks/contract.ts'
import { readingOwn } from '../../../configuration/tasks/server/service.ts'
import { resources } from '../../../index.ts'
import { exported, takeAlong } from './service.ts'

type Output = { request: FastifyRequest; reply: FastifyReply; title: string; more?: readonly Condition[]; query?: unknown }
/** A list as `Format=xlsx` (default) or `csv`, with the columns in `Fields`; `more`: additional conditions. */
const send = async (db: Db, actor: Actor, r: Resource, { request, reply, title, more = [], query = request.query }: Output) => {
  const { Format, Fields, ...rest } = query as Record<string, unknown>
  const language = languageOf(request)
  const read = readListing(rest)
  const listing = more.length ? { ...read, relation: 1 as const, conditions: [...read.conditions, ...more] } : read
  const asked = { names: exported(r, actor, Fields ? String(Fields).split(',') : undefined), listing, language }
  return takeAlong(db, actor, r, { reply, title: word(language, `menu.${title}`), format: Format, asked, filters: rest })
}
type OfTask = Pick<Output, 'request' | 'reply'> & { db: Db; actor: Actor; query: { Id: number; Format?: string } }
const ofGateways: Condition = { Field: 'AlarmType', Value: 2, LogicOP: LogicOP.equals }

/**
 * `<path>/Output` of lists with export: the filtered rows, in list order. Everyone who may read a list may export it.
 * Gateway alarms have an additional path.
 */
export const exportRoutes = (app: FastifyInstance) => {
  serve(app, gatewayAlarmCalls.output, ({ db, actor, request, reply }) =>
    send(db, actor, alarmInfo, { request, reply, title: 'm10207', more: [ofGateways] }),
  )
  const ofTask = (task: Resource, row: Resource, title: string) => async (c: OfTask) => {
    await readingOwn(task).find(c.db, c.actor, c.query.Id)
    const more: Condition[] = [{ Field: 'TaskId', Value: c.query.Id, LogicOP: LogicOP.equals }]
    return send(c.db, c.actor, row, { ...c, title, more, query: { Format: c.query.Format } })
  }
  serve(app, productTaskCalls.sheet, ofTask(productTask, productTaskRow, 'm12007'))
  serve(app, projectTaskCalls.report, ofTask(projectTask, pointCheck, 'm10124'))
  for (const r of resources.filter(isExported))
    serve(
      app,
      call({
        method: 'GET',
        path: `${r.path}/Output`,
        aliases: r.aliases.map((a) => `${a}/Output`),
        permission: r.permission,
        query: AnyObject,
      }),
      ({ db, actor, request, reply }) => send(db, actor, r, { request, reply, title: r.permission }),
    )
}
