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

/** Gateways send readings again while another process takes over, ms. */
const repeatMs = 10_000

type Needs = {
  order: ArrivalOrder
  counters: Counters
  late: Pick<Late, 'add'>
  rejected: { add(rows: Rejected[]): void }
  tell(live: readonly Stored[], batch: Batch): void
  clock: () => number
}

export const hearElsewhere = ({ order, counters, late, rejected, tell, clock }: Needs) => {
  let movedAt = Number.NEGATIVE_INFINITY
  return {
    reserve: order.reserve,
    giveUp: order.giveUp,
    waiting: order.waiting,
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
    /** Gateways send to another process from now on. */
    moved: () => {
      movedAt = clock()
    },
    /** Readings may come again that another process has stored. */
    mayRepeat: () => clock() - movedAt < repeatMs,
  }
}
export type Elsewhere = ReturnType<typeof hearElsewhere>
