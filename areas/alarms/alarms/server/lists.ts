import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AnyObject, ById, type Condition, call, LogicOP, page } from '../../../../contract/call.ts'
import { entryOf } from '../../../../contract/prototypes.ts'
import { schemas } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { pageInTurn } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { alarmInfo, gatewayAlarmCalls, otherFilters } from '../contract.ts'
import { alarmsIn } from './service.ts'

const r = alarmInfo
const equals = (Field: string, Value: number): Condition => ({ Field, Value, LogicOP: LogicOP.equals })
const ofGateways = equals('AlarmType', 2)

/** The kernel's listing. The specification's other filter maps to conditions that apply in addition to all filters. */
const listing = (given: unknown, more: readonly Condition[] = []) => {
  const { OtherFilter, ...rest } = given as Record<string, unknown>
  const other = entryOf<readonly [string, number]>(otherFilters, OtherFilter)
  const read = readListing(rest)
  const added = [...more, ...(other ? [equals(other[0], other[1])] : [])]
  return added.length ? { ...read, relation: 1 as const, conditions: [...read.conditions, ...added] } : read
}

/** Lists of alarms, of all kinds and of gateways under a separate path, and one alarm. */
export const alarmLists = (app: FastifyInstance) => {
  const at = (suffix: string) => ({
    path: `${alarmInfo.path}${suffix}`,
    aliases: alarmInfo.aliases.map((alias) => `${alias}${suffix}`),
    permission: alarmInfo.permission,
  })
  const { row } = schemas(r)
  const list = { ...at('/List'), answer: page(row) }
  const read = ({ db, actor, request }: { db: Db; actor: Actor; request: FastifyRequest }, given: unknown, more: Condition[] = []) => {
    const q = listing(given, more)
    return pageInTurn(q, actor, () => alarmsIn(languageOf(request)).list(db, actor, q))
  }
  serve(app, call({ ...list, method: 'GET', query: AnyObject }), (served) => read(served, served.request.query))
  serve(app, call({ ...list, method: 'POST', reads: true, body: AnyObject }), (served) => read(served, served.request.body))
  serve(app, gatewayAlarmCalls.list, (served) => read(served, served.request.query, [ofGateways]))
  serve(app, call({ ...at(''), method: 'GET', query: ById, answer: row }), ({ db, actor, query, request }) =>
    alarmsIn(languageOf(request)).find(db, actor, query.Id),
  )
  serve(app, call({ ...at('/Detail'), method: 'POST', reads: true, body: ById, answer: row }), ({ db, actor, body, request }) =>
    alarmsIn(languageOf(request)).find(db, actor, body.Id),
  )
}
