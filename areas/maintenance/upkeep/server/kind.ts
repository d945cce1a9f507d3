import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Sql } from '../../../../server/resource/sql.ts'
import { mtnUpKeepOrder, mtnUpKeepPlan } from '../contract.ts'

/** A resource of plans and that of their orders: upkeep, or rounds of a patrol, which have the same fields and more. */
export type Kind = {
  plan: typeof mtnUpKeepPlan
  order: typeof mtnUpKeepOrder
  /** Columns of the plan that an order keeps as they were. */
  copied: readonly string[]
  /** Where its orders are worked on from, for messages about repairs that they open: 3 a patrol, 4 upkeep. */
  source: 3 | 4
  /** Refuses fields of its own that a plan names wrongly. */
  check?: (db: Db, actor: Actor, given: Readonly<Record<string, unknown>>) => Promise<void>
  /** What else is written when an order ends, and what of it is not in order. */
  ending?: (db: Db, order: { Id: number; EnterpriseId: number }, end: Date, actor?: Actor) => Promise<{ set: Sql; abnormal: number }>
}
export const upkeep: Kind = { plan: mtnUpKeepPlan, order: mtnUpKeepOrder, copied: ['Items'], source: 4 }
