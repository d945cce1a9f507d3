import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Sql } from '../../../../server/resource/sql.ts'
import { mtnUpKeepOrder, mtnUpKeepPlan } from '../contract.ts'

/** A pair of resources, plans and their orders: upkeep, or patrol rounds, which have additional fields. */
export type Kind = {
  plan: typeof mtnUpKeepPlan
  order: typeof mtnUpKeepOrder
  /** Columns of the plan that are copied into its orders. */
  copied: readonly string[]
  /** Source of repairs opened from its orders, for notifications: 3 patrol, 4 upkeep. */
  source: 3 | 4
  /** Validates the additional fields of a plan. */
  check?: (db: Db, actor: Actor, given: Readonly<Record<string, unknown>>) => Promise<void>
  /** Additional columns set when an order ends, and deviations to report. */
  ending?: (db: Db, order: { Id: number; EnterpriseId: number }, end: Date, actor?: Actor) => Promise<{ set: Sql; abnormal: number }>
}
export const upkeep: Kind = { plan: mtnUpKeepPlan, order: mtnUpKeepOrder, copied: ['Items'], source: 4 }
