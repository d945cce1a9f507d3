import type { FastifyInstance } from 'fastify'
import type { AlarmPush } from '../../../contract/areas/alarm-push.ts'
import { mtnAlmTemplate } from '../../../contract/areas/maintenance-alarm-templates.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { FieldFaults } from '../../http/faults.ts'
import { crud } from '../../resource/crud.ts'
import { type Check, tenantOf } from '../../resource/store.ts'
import { pushWrites } from '../alarms/service.ts'

const r = mtnAlmTemplate as unknown as Resource

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
