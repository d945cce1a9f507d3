import type { Stored } from '../../../../server/telemetry/sample.ts'
import type { Engine } from './alarming/engine.ts'
import type { Rules } from './alarming/rules/engine.ts'

/** Readings that may change an alarm, by engine, and the highest arrival number. */
export type Prefiltered = { limited: Stored[]; ruled: Stored[]; to: number }

/**
 * Drops readings that cannot change an alarm, and duplicates: readings from the store may arrive twice. Live-only readings have no arrival
 * number.
 */
export const prefilterReadings = (rows: readonly Stored[], from: number, engine: Engine, rules: Rules): Prefiltered => {
  const [limited, ruled]: [Stored[], Stored[]] = [[], []]
  let to = from
  for (const row of rows) {
    if (row.n > to) to = row.n
    else if (row.n !== 0 && row.n <= from) continue
    if (!engine.passes(row)) limited.push(row)
    if (!rules.passes(row)) ruled.push(row)
  }
  return { limited, ruled, to }
}
