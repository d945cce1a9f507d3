import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { alarmInfo, gatewayAlarmCalls, otherFilters } from '../../../contract/areas/alarms.ts'
import { type Condition, call, LogicOP, page } from '../../../contract/base/call.ts'
import { type Resource, schemas } from '../../../contract/base/resource.ts'
import { serve } from '../../http/serve.ts'
import { readListing } from '../../resource/list.ts'
import { store } from '../../resource/store.ts'

const alarms = store(alarmInfo)
const r = alarmInfo as unknown as Resource
const anything = Type.Object({}, { additionalProperties: true })
const equals = (Field: string, Value: number): Condition => ({ Field, Value, LogicOP: LogicOP.equals })
const ofGateways = equals('AlarmType', 2)

/** The kernel's listing; the specification's other filter stands for conditions of ours, which hold whatever else is asked for. */
const listing = (given: unknown, more: readonly Condition[] = []) => {
  const { OtherFilter, ...rest } = given as Record<string, unknown>
  const other = otherFilters[String(OtherFilter) as keyof typeof otherFilters]
  const read = readListing(rest)
  const added = [...more, ...(other ? [equals(other[0], other[1])] : [])]
  return added.length ? { ...read, relation: 1 as const, conditions: [...read.conditions, ...added] } : read
}

/** Lists of alarms: of all kinds, and of gateways by a path of their own. */
export const alarmLists = (app: FastifyInstance) => {
  const at = {
    path: `${alarmInfo.path}/List`,
    aliases: alarmInfo.aliases.map((alias) => `${alias}/List`),
    permission: alarmInfo.permission,
    answer: page(schemas(r).row),
  }
  serve(app, call({ ...at, method: 'GET', query: anything }), ({ db, actor, request }) => alarms.list(db, actor, listing(request.query)))
  serve(app, call({ ...at, method: 'POST', body: anything }), ({ db, actor, request }) => alarms.list(db, actor, listing(request.body)))
  serve(app, gatewayAlarmCalls.list, ({ db, actor, request }) => alarms.list(db, actor, listing(request.query, [ofGateways])))
}
