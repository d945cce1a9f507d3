// Readings that other processes store: this one numbers, counts and judges them.
import type { ArrivalOrder } from './arrivalOrder.ts'
import { type Batch, settleReadings } from './commit.ts'
import type { Counters } from './counters.ts'
import type { Late } from './late.ts'
import type { Rejected, Stored } from './sample.ts'

/** Readings that another process has stored. `live` are those with arrival numbers, and live-only ones with 0. */
export type StoredElsewhere = Omit<Parameters<typeof settleReadings>[1], 'deliver'> & { live: readonly Stored[] }

type Needs = {
  order: ArrivalOrder
  counters: Counters
  late: Pick<Late, 'add'>
  rejected: { add(rows: Rejected[]): void }
  tell(live: readonly Stored[], batch: Batch): void
}

export const hearElsewhere = ({ order, counters, late, rejected, tell }: Needs) => ({
  reserve: order.reserve,
  giveUp: order.giveUp,
  waiting: order.waiting,
  isFirst: order.isFirst,
  /** False if the numbers were given up: the readings have to be stored under others. */
  stored: ({ live, ...of }: StoredElsewhere): boolean => {
    const deliver = () => tell(live, { first: of.first, last: of.first + of.amount - 1 })
    return settleReadings({ order, counters, late }, { ...of, deliver })
  },
  keep: (rows: Rejected[]) => rejected.add(rows),
})
export type Elsewhere = ReturnType<typeof hearElsewhere>
