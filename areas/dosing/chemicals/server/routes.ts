import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { sentKey } from '../../../../server/http/clientKey.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { ActHandler } from '../../../../server/resource/acts.ts'
import { crud } from '../../../../server/resource/crud.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { partWasMoved } from '../../../maintenance/spare-parts/server/service.ts'
import { confirmed, drugCalls, drugDelivery, drugInfo, proposed, seesDosingCost } from '../contract.ts'
import { drugCheck, nextCode } from './check.ts'
import { countChemical, deliveries, lockStock, takeIn } from './stock.ts'

type Given = { BatchNo: string; Qty: number; Concentration?: number | null; Price?: number | null; SupplierName?: string | null }

/** Deliveries came in the past. */
const deliveryCheck: Check = async (db, actor, given, held) => {
  if (held || given.DeliverTime === undefined) return given
  const [at] = await db.rows<{ Future: boolean }>(
    sql`select (${given.DeliverTime}::timestamp at time zone ${actor.zone ?? actor.tenantZone}::text) > now() as "Future"`,
  )
  if (at?.Future) throw new FieldFaults([{ field: 'DeliverTime', rule: 'inFuture' }])
  return given
}
/** Manual entries update the stock immediately. */
const addDelivery = (db: Db, actor: Actor, draft: Record<string, unknown>) =>
  db.tx(async (db) => {
    await deliveryCheck(db, actor, draft)
    const row = await deliveries.create(db, actor, draft)
    await takeIn(db, actor, draft as unknown as Given & { DrugInfoId: number })
    return row
  })

const confirm: ActHandler = async ({ db, actor, body, row }) => {
  const given = body as unknown as Given
  if (given.Price != null && !actor.may.has(seesDosingCost)) throw new Fault('forbidden')
  const key = sentKey('confirm', body)
  const { DrugInfoId } = row as unknown as Row<typeof drugDelivery>
  await db.tx(async (db) => {
    const { EnterpriseId, ComponentId } = await lockStock(db, actor, DrugInfoId)
    if (await partWasMoved(db, actor, EnterpriseId, ComponentId, key)) return
    await confirmProposal(db, actor, row.Id, given)
    await takeIn(db, actor, { ...given, DrugInfoId }, key)
  }, `delivery ${row.Id}`)
}
const confirmProposal = async (db: Db, actor: Actor, id: number, { BatchNo, Qty, Concentration, Price, SupplierName }: Given) => {
  const [still] = await db.rows(sql`select 1 from drug_delivery where "Id" = ${id} and "Status" = ${proposed} for no key update`)
  if (!still) throw new Fault('wrongState', { title: BatchNo })
  // Fields that people do not set are written here, the others by the store, with an entry in the log.
  await db.rows(sql`update drug_delivery set "Status" = ${confirmed}, "Qty" = ${Qty} where "Id" = ${id}`)
  const others = { Concentration, SupplierName, ...(Price == null ? {} : { Price }) }
  await deliveries.update(db, actor, id, {
    BatchNo,
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
  })
}

const count: ActHandler = async ({ db, actor, body, row }) => {
  const key = sentKey('count', body)
  await db.tx(async (db) => {
    const { EnterpriseId, ComponentId } = await lockStock(db, actor, row.Id)
    if (await partWasMoved(db, actor, EnterpriseId, ComponentId, key)) return
    await countChemical(db, actor, row.Id, body as { Counted: number; Remark?: string }, key)
  }, `chemical ${row.Id}`)
}

/** Chemicals, and their deliveries. */
export const chemicalRoutes = (app: FastifyInstance) => {
  crud(app, drugInfo, { check: drugCheck, acts: { count } })
  crud(app, drugDelivery, { own: { create: addDelivery }, acts: { confirm } })
  serve(app, drugCalls.code, async ({ db, actor, query }) => ({ DrugCode: await nextCode(db, actor, query.DrugType) }))
}
