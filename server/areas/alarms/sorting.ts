import type { AlarmEvent, Engine } from '../../alarming/engine.ts'
import type { PointRegistry, Stored } from '../../telemetry/sample.ts'
import { hasLimits, watchOf } from './limits.ts'
import type { Rulebook } from './rulebook.ts'

/** What bears on the readings of a point. */
const [byLimits, byRules] = [1, 2]

type Needs = { registry: Pick<PointRegistry, 'get'>; find(events: readonly AlarmEvent[]): void; clock: () => number }

/** Which readings are for which engine. What is known of a point holds until `forget`: one look a reading, for most of them. */
export const createSorting = ({ registry, find, clock }: Needs) => {
  const kinds = new Map<number, number>()

  /** Limits that the engine has not met yet it gets to know. */
  const kindOf = (point: number, engine: Engine, book: Rulebook) => {
    const meta = registry.get(point)
    if (meta && hasLimits(meta) && !engine.watches(point)) find(engine.configure(watchOf(meta), clock()))
    const kind = (engine.watches(point) ? byLimits : 0) | (book.watches(point) ? byRules : 0)
    if (meta) kinds.set(point, kind)
    return kind
  }

  return {
    kindOf,
    /** To be called when points, rules or engines have changed. */
    forget: () => kinds.clear(),
    sort(rows: readonly Stored[], engine: Engine, book: Rulebook) {
      const [limited, ruled]: [Stored[], Stored[]] = [[], []]
      const { judged } = engine
      let newest: Stored | undefined
      for (const row of rows) {
        // Live-only readings have no number; those that were read from the store may come from the queue once more.
        if (row.n !== 0 && row.n <= judged) continue
        if (!newest || row.n > newest.n) newest = row
        const kind = kinds.get(row.point) ?? kindOf(row.point, engine, book)
        if (kind & byLimits) limited.push(row)
        if (kind & byRules) ruled.push(row)
      }
      // How far the engines are is for the last reading to say, whoever it is for.
      if (newest && !engine.watches(newest.point)) limited.push(newest)
      if (newest && !book.watches(newest.point)) ruled.push(newest)
      return { limited, ruled }
    },
  }
}
