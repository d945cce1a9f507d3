import type { FastifyInstance } from 'fastify'
import { type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import { unknownIds } from '../../../../server/identity/scopedRows.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { type Check, tenantOf } from '../../../../server/resource/store.ts'
import { alarmRoster, type Shift } from '../../alarm-rosters/contract.ts'
import { zoneKnown } from '../../alarm-rules/alarm-configure.ts'

const r = alarmRoster

/** The people of a roster belong to its tenant. Only people visible to the caller can be added. */
const check: Check = async (db, actor, given, existing) => {
  const faults: FieldFault[] = []
  if (given.TimeZone !== undefined && !zoneKnown(String(given.TimeZone))) faults.push({ field: 'TimeZone', rule: 'alarmRule.fault.zone' })
  const tenant = existing?.EnterpriseId ?? (await tenantOf(db, actor, r, given))
  const before = ((existing?.Shifts ?? []) as Shift[]).flatMap((shift) => shift.Users)
  for (const [i, { Start, End, Users }] of ((given.Shifts ?? []) as Shift[]).entries()) {
    if (Start === End) faults.push({ field: `Shifts.${i}.End`, rule: 'alarmRule.fault.wholeDay' })
    if ((await unknownIds(db, actor, 'user', { ids: Users, tenant, existing: before })).size)
      faults.push({ field: `Shifts.${i}.Users`, rule: 'unknownReference' })
  }
  if (faults.length) throw new FieldFaults(faults)
  return existing ? given : { TimeZone: 'UTC', ...given }
}

/** On-call rosters. */
export const rosterRoutes = (app: FastifyInstance) => crud(app, r, { check })
