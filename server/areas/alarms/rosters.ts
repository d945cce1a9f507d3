import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { zoneKnown } from '../../../contract/areas/alarm-configure.ts'
import { alarmRoster, type Shift } from '../../../contract/areas/alarm-rosters.ts'
import { call } from '../../../contract/base/call.ts'
import { type Resource, schemas } from '../../../contract/base/resource.ts'
import type { Db } from '../../database/db.ts'
import { type FieldFault, FieldFaults } from '../../http/faults.ts'
import { serve } from '../../http/serve.ts'
import type { Actor } from '../../identity/actor.ts'
import { crud } from '../../resource/crud.ts'
import { store } from '../../resource/store.ts'

const r = alarmRoster as unknown as Resource
const rows = store(r)
type Values = Record<string, unknown>

const check = async (db: Db, actor: Actor, given: Values) => {
  const faults: FieldFault[] = []
  if (given.TimeZone !== undefined && !zoneKnown(String(given.TimeZone))) faults.push({ field: 'TimeZone', rule: 'alarmRule.fault.zone' })
  const tenant = Number(given.EnterpriseId ?? actor.EnterpriseId)
  for (const [i, { Start, End, Users }] of ((given.Shifts ?? []) as Shift[]).entries()) {
    if (Start === End) faults.push({ field: `Shifts.${i}.End`, rule: 'alarmRule.fault.wholeDay' })
    const known = await db.rows(sql`select 1 from "user" where "Id" = any(${Users}::bigint[]) and "EnterpriseId" = ${tenant}`)
    if (known.length !== new Set(Users).size) faults.push({ field: `Shifts.${i}.Users`, rule: 'unknownReference' })
  }
  if (faults.length) throw new FieldFaults(faults)
}

/** On-call rosters; their people are the tenant's. */
export const rosterRoutes = (app: FastifyInstance) => {
  crud(app, r, { except: ['create', 'update'] })
  const { draft, change, row } = schemas(r)
  const at = { path: r.path, answer: row }
  serve(app, call({ ...at, method: 'POST', permission: `${r.permission}.add`, body: draft }), ({ db, actor, body }) =>
    db.tx(async (db) => {
      await check(db, actor, body as Values)
      return rows.create(db, actor, body as Values)
    }),
  )
  serve(app, call({ ...at, method: 'PUT', permission: `${r.permission}.edit`, body: change }), ({ db, actor, body }) =>
    db.tx(async (db) => {
      const given = body as Values & { Id: number }
      const { EnterpriseId } = await rows.find(db, actor, given.Id)
      await check(db, actor, { ...given, EnterpriseId })
      return rows.update(db, actor, given.Id, given)
    }),
  )
}
