import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { zoneKnown } from '../../../contract/areas/alarm-configure.ts'
import { alarmRoster, type Shift } from '../../../contract/areas/alarm-rosters.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { type FieldFault, FieldFaults } from '../../http/faults.ts'
import { crud } from '../../resource/crud.ts'
import { type Check, tenantOf } from '../../resource/store.ts'

const r = alarmRoster as unknown as Resource

/** The people of a roster are its tenant's. */
const check: Check = async (db, actor, given, held) => {
  const faults: FieldFault[] = []
  if (given.TimeZone !== undefined && !zoneKnown(String(given.TimeZone))) faults.push({ field: 'TimeZone', rule: 'alarmRule.fault.zone' })
  const tenant = held?.EnterpriseId ?? (await tenantOf(db, actor, r, given))
  for (const [i, { Start, End, Users }] of ((given.Shifts ?? []) as Shift[]).entries()) {
    if (Start === End) faults.push({ field: `Shifts.${i}.End`, rule: 'alarmRule.fault.wholeDay' })
    const known = await db.rows(sql`select 1 from "user" where "Id" = any(${Users}::bigint[]) and "EnterpriseId" = ${tenant}`)
    if (known.length !== new Set(Users).size) faults.push({ field: `Shifts.${i}.Users`, rule: 'unknownReference' })
  }
  if (faults.length) throw new FieldFaults(faults)
  return held ? given : { TimeZone: 'UTC', ...given }
}

/** On-call rosters. */
export const rosterRoutes = (app: FastifyInstance) => crud(app, r, { check })
