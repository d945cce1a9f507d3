import type { FastifyInstance } from 'fastify'
import type { AlarmPush } from '../../../contract/areas/alarm-push.ts'
import { mtnAlmTemplate } from '../../../contract/areas/maintenance-alarm-templates.ts'
import { call } from '../../../contract/base/call.ts'
import { type Resource, schemas } from '../../../contract/base/resource.ts'
import type { Db } from '../../database/db.ts'
import { FieldFaults } from '../../http/faults.ts'
import { serve } from '../../http/serve.ts'
import { crud } from '../../resource/crud.ts'
import { store } from '../../resource/store.ts'
import { pushWrites } from '../alarms/service.ts'

const r = mtnAlmTemplate as unknown as Resource
const rows = store(r)
type Given = Record<string, unknown> & { Id: number; AlarmPush?: AlarmPush }

/** People, rosters and templates it names are there, and the tenant's. */
const check = async (db: Db, tenant: number, push: AlarmPush | undefined) => {
  const faults = push ? await pushWrites.faults(db, tenant, push) : []
  if (faults.length) throw new FieldFaults(faults)
}

export const maintenanceTemplateRoutes = (app: FastifyInstance) => {
  crud(app, r, { except: ['create', 'update'] })
  const { draft, change, row } = schemas(r)
  const at = { path: r.path, answer: row }
  serve(app, call({ ...at, method: 'POST', permission: `${r.permission}.add`, body: draft }), ({ db, actor, body }) =>
    db.tx(async (db) => {
      const given = body as Given
      await check(db, actor.EnterpriseId, given.AlarmPush)
      return rows.create(db, actor, given)
    }),
  )
  serve(app, call({ ...at, method: 'PUT', permission: `${r.permission}.edit`, body: change }), ({ db, actor, body }) =>
    db.tx(async (db) => {
      const given = body as Given
      const { EnterpriseId } = await rows.find(db, actor, given.Id)
      await check(db, EnterpriseId, given.AlarmPush)
      return rows.update(db, actor, given.Id, given)
    }),
  )
}
