// Keeps the stock up with what was used: days that are over leave the ledger, rises of a tank's level propose deliveries, and one notice
// says when to order.
import { sql } from 'kysely'
import type { Context } from '../../../../server/context.ts'
import type { Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import { day, hour } from '../../../../server/telemetry/store/store.ts'
import { textOfDay, today } from '../../../energy/consumption/server/service.ts'
import { givenBack, takenOut } from '../../../maintenance/spare-parts/contract.ts'
import { moveStock } from '../../../maintenance/spare-parts/server/service.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { confirmed, drugDelivery, drugInfo, proposed } from '../../chemicals/contract.ts'
import { batchesOf, lockStock } from '../../chemicals/server/service.ts'
import { overview } from '../contract.ts'
import { amountsOf, levelsOf, risesOf } from './measured.ts'
import { type Drug, drugsWhere, type Measuring } from './reading.ts'
import { stocksOf } from './stocks.ts'
import { edgesOfDays } from './usage.ts'

/** Days that late readings and entries may still change in the ledger, and that are searched for deliveries. */
export const openDays = 40
/** A delivery within this time of a rise is the same one. */
const nearMs = 24 * hour
/** A rise is over when nothing has been added for so long. */
const settledMs = hour

type Due = { day: string; change: bigint }
/** Brings the ledger up to what was used: more is taken out, less is given back, as far as there is stock. */
const post = async (db: Db, measuring: Measuring, drug: Drug, first: number) => {
  const now = today(drug.Zone, measuring.now)
  const from = Math.max(today(drug.Zone, first), now - openDays)
  if (from >= now) return
  const amounts = (await amountsOf(db, measuring, [drug], edgesOfDays(drug.Zone, { from, to: now - 1 }))).get(drug.Id)!
  await db.tx(async (db) => {
    const actor = serverActor(drug.EnterpriseId)
    const { ComponentId, PlaceId, StockQty } = await lockStock(db, actor, drug.Id)
    const rows = await db.rows<{ Day: string; Qty: string }>(sql`
      select "Day"::text as "Day", ("Qty" * 1000)::bigint::text as "Qty" from drug_day where "DrugInfoId" = ${drug.Id} and "Day" >= ${textOfDay(from)}::date`)
    const there = new Map(rows.map(({ Day, Qty }) => [Day, BigInt(Qty)]))
    let stock = BigInt(Math.round(StockQty * 1000))
    const due = amounts.flatMap(({ qty }, i): Due[] => {
      const key = textOfDay(from + i)
      const wanted = (qty ?? 0n) - (there.get(key) ?? 0n)
      const change = wanted > stock ? stock : wanted
      stock -= change
      return qty === null || (change === 0n && there.has(key)) ? [] : [{ day: key, change }]
    })
    if (!due.length) return
    await db.rows(sql`
      insert into drug_day ("EnterpriseId", "DrugInfoId", "Day", "Qty")
      select ${drug.EnterpriseId}, ${drug.Id}, d.day::date, d.qty::numeric / 1000 from unnest(${due.map((one) => one.day)}::text[], ${due.map(({ day, change }) => String((there.get(day) ?? 0n) + change))}::text[]) d (day, qty)
      on conflict ("DrugInfoId", "Day") do update set "Qty" = excluded."Qty"`)
    const moves = due
      .filter(({ change }) => change !== 0n)
      .map(({ day, change }) => ({
        ...{ ComponentId, PlaceId, RecordType: change > 0n ? takenOut : givenBack, Change: -Number(change) / 1000, Remark: day },
      }))
    if (moves.length) await moveStock(db, actor, drug.EnterpriseId, moves)
  }, `chemical ${drug.Id}`)
}

/** Proposes deliveries where the level rose and none was entered. */
const propose = async (db: Db, measuring: Measuring, drug: Drug) => {
  const { now } = measuring
  const levels = await levelsOf(measuring, drug, now - openDays * day, now)
  const rises = risesOf(drug, levels).filter(({ end }) => end <= now - settledMs)
  if (!rises.length) return
  const made = await db.rows<{ Id: number }>(sql`
    insert into drug_delivery ("EnterpriseId", "DrugInfoId", "DeliverTime", "RiseTime", "BatchNo", "Qty", "Concentration", "SupplierName", "Status")
    select ${drug.EnterpriseId}, i."Id", r.at, r.at, to_char(r.at at time zone ${drug.Zone}::text, 'YYYY-MM-DD'), r.qty, i."Concentration", i."Supplier", ${proposed}
    from jsonb_to_recordset(${JSON.stringify(rises.map(({ start, qty }) => ({ at: new Date(start).toISOString(), qty: Math.round(qty) / 1000 })))}::jsonb) r (at timestamptz, qty numeric)
      join drug_info i on i."Id" = ${drug.Id}
    where not exists (select 1 from drug_delivery d where d."DrugInfoId" = i."Id" and abs(extract(epoch from coalesce(d."RiseTime", d."DeliverTime") - r.at)) * 1000 < ${nearMs})
    on conflict do nothing returning "Id"`)
  for (const { Id } of made)
    db.emit({ resource: drugDelivery.name, id: Id, verb: 'create', EnterpriseId: drug.EnterpriseId, ProjectId: drug.ProjectId })
}

/** One notice for each delivery that becomes due. */
const remind = async (db: Db, measuring: Measuring, drugs: readonly Drug[]) => {
  const [{ EnterpriseId, Zone, Currency }] = drugs as [Drug]
  const reading = { db, actor: serverActor(EnterpriseId), measuring, zone: Zone, currency: Currency, seesCost: false, drugs }
  for (const { DrugInfoId, DrugName, State, RunOutLow, OrderQty, Unit, ProjectId } of await stocksOf(reading)) {
    if (State !== 3) continue
    const [last] = await db.rows<{ Id: number }>(sql`
      select coalesce(max("Id"), 0)::float8 as "Id" from drug_delivery where "DrugInfoId" = ${DrugInfoId} and "Status" = ${confirmed}`)
    await notify(db, {
      ...{ EnterpriseId, ProjectId, BizType: 12, Source: `chemicalOrder/${DrugInfoId}/${last!.Id}`, Permission: overview },
      Wording: OrderQty === null ? 'chemicalOrder' : 'chemicalOrderQty',
      WordValues: { DrugName, Day: RunOutLow ?? '-', Qty: Math.floor(OrderQty ?? 0), Unit },
      ...{ ObjectType: drugInfo.name, ObjectId: DrugInfoId },
    })
  }
}

type Needs = Pick<Context, 'database' | 'telemetry' | 'clock' | 'isOwner' | 'log'>
export const createRun =
  ({ database, telemetry, clock, isOwner, log }: Needs) =>
  async (isStopped: () => boolean) => {
    if (!isOwner()) return
    const db = database.system
    const measuring = { telemetry, now: clock() }
    const all = await drugsWhere(db, sql`true`)
    const batches = await batchesOf(
      db,
      all.map(({ Id }) => Id),
    )
    for (const drug of all) {
      if (isStopped()) return
      const first = batches.get(drug.Id)?.[0]
      // One chemical that fails does not hold up the others.
      const failed = (err: unknown) => log.warn({ err, chemical: drug.Id }, 'the stock of a chemical was not kept; trying again')
      if (drug.TankParaId !== null) await propose(db, measuring, drug).catch(failed)
      if (first) await post(db, measuring, drug, first.at).catch(failed)
    }
    for (const own of Map.groupBy(await drugsWhere(db, sql`true`), ({ EnterpriseId }) => EnterpriseId).values()) {
      if (isStopped()) return
      await remind(db, measuring, own)
    }
  }

const pollMs = 10 * 60_000
export const startStockKeeping = (needs: Needs) =>
  startWorker({
    ...{ database: needs.database, run: createRun(needs), pollMs },
    triggeredBy: ({ resource }) => resource === drugInfo.name || resource === drugDelivery.name || resource === 'drugInfoData',
    failed: (err) => needs.log.warn({ err }, 'stocks of chemicals were not kept; trying again'),
  })
