// The demo company's store: stock and movements.
import { sql } from 'kysely'
import type { Db } from '../../../../../server/database/db.ts'
import { serverActor } from '../../../../../server/identity/actor.ts'
import { store } from '../../../../../server/resource/store.ts'
import {
  countedLess,
  countedMore,
  givenBack,
  mtnComponent,
  mtnPlace,
  purchase,
  scrapped,
  takenOut,
  transferred,
} from '../../../../maintenance/spare-parts/contract.ts'
import { inThousandths, type Move, movePast, type PastMove } from '../../../../maintenance/spare-parts/server/service.ts'
import type { Company } from './company.ts'
import { parts, places } from './partsTable.ts'
import { shareOf } from './words.ts'

const day = 86_400_000
type Stocked = { Id: number; min: number; max: number; lead: number; price: number; qty: number }

export const addParts = async (db: Db, c: Company) => {
  const actor = serverActor(c.EnterpriseId)
  for (const { name, remark } of places)
    await store(mtnPlace).create(db, actor, { PlaceName: name[c.language], Remark: remark[c.language] })
  for (const p of parts)
    await store(mtnComponent).create(db, actor, {
      ...{ ComponentName: p.name[c.language], ComponentNo: p.no, Category: p.category[c.language], Unit: p.unit[c.language], Spec: p.spec },
      ...{ SupplierName: p.supplier, LeadDays: p.lead, MinQty: p.min, MaxQty: p.max, Price: p.price },
    })
}

/** State of the store while movements are replayed, each with its own time. `save` writes them into the ledger. */
export const openStore = async (db: Db, c: Company) => {
  const rows = await db.rows<{ Id: number; ComponentNo: string; Qty: number }>(
    sql`select "Id", "ComponentNo", "StockQty" as "Qty" from mtn_component where "EnterpriseId" = ${c.EnterpriseId} and "ComponentNo" = any(${parts.map((p) => p.no)}::text[])`,
  )
  const [main, workshop] = (
    await db.rows<{ Id: number }>(
      sql`select "Id" from mtn_place where "EnterpriseId" = ${c.EnterpriseId} and "PlaceName" = any(${places.map((p) => p.name[c.language])}::text[]) order by "Id"`,
    )
  ).map((r) => r.Id) as [number, number]
  const stock = new Map<string, Stocked>()
  for (const { no, ...p } of parts) {
    const row = rows.find((r) => r.ComponentNo === no)
    if (row) stock.set(no, { ...p, Id: row.Id, qty: row.Qty })
  }
  const due: { at: number; no: string }[] = []
  /** Movements are sequential. */
  let clock = c.since
  const moves: PastMove[] = []
  const next = (at: number) => Math.max(clock + 1000, at)
  const add = (at: number, ...of: Move[]) => {
    clock = next(at)
    for (const move of of) moves.push({ ...move, at: clock, UserId: c.keeper })
  }
  let isCounted = false
  const countDay = Math.floor(c.now / day - 20) * day + 7 * 3_600_000
  const move = (at: number, no: string, Change: number, RecordType: number, more: Partial<Move> = {}) => {
    const part = stock.get(no)
    if (!part || part.qty + Change < 0) return
    part.qty = Math.round((part.qty + Change) * 1000) / 1000
    add(at, { ComponentId: part.Id, PlaceId: main, RecordType, Change, ...more })
  }
  const buy = (at: number, no: string, qty: number) => {
    const part = stock.get(no)!
    move(at, no, qty, purchase, { Price: Math.round(part.price * (0.95 + shareOf(part.Id, at) * 0.1) * 100) / 100 })
  }
  const count = (at: number, part: Stocked, Counted: number) => {
    const Change = inThousandths(Counted - part.qty)
    const CountTime = new Date(next(at)).toISOString()
    add(at, { ComponentId: part.Id, PlaceId: main, RecordType: Change > 0 ? countedMore : countedLess, Change, CountTime })
    part.qty = Counted
  }
  /** Restocks the workshop, scraps a few parts and takes stock. */
  const countAll = () => {
    for (const [n, [no, part]] of [...stock].entries()) {
      const at = countDay + n * 300_000
      if (part.qty > 4 && n % 5 === 0) {
        const half = Math.floor(part.qty / 2)
        add(
          at,
          { ComponentId: part.Id, PlaceId: main, OtherPlaceId: workshop, RecordType: transferred, Change: -half },
          { ComponentId: part.Id, PlaceId: workshop, OtherPlaceId: main, RecordType: transferred, Change: half },
        )
        part.qty -= half
      }
      if (part.qty > 2 && n % 13 === 4) move(at + 60_000, no, -1, scrapped)
      if (part.qty > 1 && n % 7 === 3) count(at + 120_000, part, part.qty + (n % 2 ? -1 : 1))
      // Used by work without an order.
      if (part.min >= 2 && n % 8 === 6) move(at + 180_000, no, -Math.max(0.5, part.qty - part.min + 1), takenOut)
    }
  }
  return {
    save: () => movePast(db, c.EnterpriseId, moves),
    /** Initial stock. */
    fill: () => {
      for (const [no, { Id, min, max }] of stock)
        if (max) buy(c.since + (1 + shareOf(Id)) * 3_600_000, no, Math.max(1, Math.round((min + max) / 2)))
    },
    /** Deliveries received by a given time. */
    deliver: (until: number) => {
      if (!isCounted && until >= countDay && countDay > c.since) {
        isCounted = true
        countAll()
      }
      due.sort((a, b) => a.at - b.at)
      while (due[0] && due[0].at <= until) {
        const { at, no } = due.shift()!
        const { max, qty } = stock.get(no)!
        if (max > qty) buy(at, no, max - qty)
      }
    },
    /** Takes parts for an order, and reorders those below their minimum. */
    take: (at: number, OrderId: number, of: readonly (readonly [no: string, qty: number])[]) => {
      for (const [no, qty] of of) {
        move(at, no, -qty, takenOut, { OrderId })
        const part = stock.get(no)
        if (part && part.qty <= part.min && !due.some((d) => d.no === no))
          due.push({ at: at + (part.lead + shareOf(at, part.Id) * 6) * day, no })
        if (part && qty > 1 && shareOf(OrderId, part.Id) > 0.8) move(at + 1_800_000, no, 1, givenBack, { OrderId })
      }
    },
  }
}
