import type { Stored } from '../../../../server/telemetry/sample.ts'
import type { Engine } from './alarming/engine.ts'
import type { RuleRegistry } from './ruleRegistry.ts'

/** Readings that may change something, for each engine, and the arrival number up to which nothing else does. */
export type Prefiltered = { limited: Stored[]; ruled: Stored[]; to: number }

/**
 * Leaves of readings what has to be judged; each is told once, in the order of arrival. Live-only ones have no number; what was read from the
 * store may come a second time.
 */
export const prefilterReadings = (rows: readonly Stored[], from: number, engine: Engine, ruleRegistry: RuleRegistry): Prefiltered => {
  const [limited, ruled]: [Stored[], Stored[]] = [[], []]
  let to = from
  for (const row of rows) {
    if (row.n > to) to = row.n
    else if (row.n !== 0 && row.n <= from) continue
    if (!engine.passes(row)) limited.push(row)
    if (!ruleRegistry.passes(row)) ruled.push(row)
  }
  return { limited, ruled, to }
}
