import type { FastifyInstance } from 'fastify'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { type Check, tenantOf } from '../../../../server/resource/store.ts'
import type { AlarmPush } from '../../../alarms/alarm-rules/alarm-push.ts'
import { pushWrites } from '../../../alarms/alarms/server/service.ts'
import { mtnAlmTemplate } from '../contract.ts'

const r = mtnAlmTemplate

/** People, rosters and templates it names are there, and the tenant's. */
const check: Check = async (db, actor, given, held) => {
  const tenant = held?.EnterpriseId ?? (await tenantOf(db, actor, r, given))
  const faults = given.AlarmPush
    ? await pushWrites.faults(db, actor, tenant, given.AlarmPush as AlarmPush, held?.AlarmPush as AlarmPush | null)
    : []
  if (faults.length) throw new FieldFaults(faults)
  return given
}

export const maintenanceTemplateRoutes = (app: FastifyInstance) => crud(app, r, { check })
