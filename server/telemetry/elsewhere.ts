// Readings that other processes store: this one numbers, counts and judges them.
import type { ArrivalOrder } from './arrivalOrder.ts'
import type { Batch } from './commit.ts'
import type { Counted, Counters } from './counters.ts'
import type { Late, LateCounts } from './late.ts'
import type { Rejected, Stored } from './sample.ts'

/** Readings that another process has stored. `live` are those with arrival numbers, and live-only ones with 0. */
export type StoredElsewhere = {
  first: number
  /** Arrival numbers that were used. */
  amount: number
  live: readonly Stored[]
  counted: readonly Counted[]
  late: Iterable<readonly [number, LateCounts]>
}

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
  stored: ({ first, amount, live, counted, late: lately }: StoredElsewhere): boolean => {
    const deliver = () => tell(live, { first, last: first + amount - 1 })
    if (amount && !order.stored(first, amount, deliver)) return false
    if (!amount) deliver()
    for (const each of counted) counters.add(...each)
    late.add(lately)
    return true
  },
  keep: (rows: Rejected[]) => rejected.add(rows),
})
export type Elsewhere = ReturnType<typeof hearElsewhere>
