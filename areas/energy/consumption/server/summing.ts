// Stores sums of months in the background, for all circuits of a company whose days are derived.
import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import { pausing } from '../../../../server/jobs/ownTurn.ts'
import { day, minute } from '../../../../server/telemetry/store/store.ts'
import { keyOf, offsets, startOfKey } from '../../../../server/telemetry/zone.ts'
import { type Circuit, circuitsWhere } from './circuits.ts'
import type { Deriving } from './days.ts'
import { pricedOf } from './priced.ts'
import { quartersOf } from './quarterHours.ts'
import { today } from './ranges.ts'
import { daysOfMonth, monthOfKey, monthText, type SumKeys, sumKeysOf } from './sumKeys.ts'
import { encodeSum } from './sumStore.ts'
import { sumsOf } from './sums.ts'
import { added } from './usage.ts'

/** Months that are stored, the running one included: two ranges of thirteen months. */
const mostMonths = 27
const circuitsTogether = 40
/** Refresh interval of what sums depend on without a change notification, ms. */
const lookMs = 10 * minute
/** How long one run stores sums before it looks at late readings again, ms. */
const budgetMs = 1500

type Needs = { database: Database; telemetry: Deriving['telemetry']; clock: () => number }
type Due = { circuit: Circuit; month: number; key: string; days: number }

/** Months whose sums are missing or outdated, or of which more days are over now. */
const dueOf = async ({ database, clock }: Needs, circuits: readonly Circuit[], { keyOf: sumKey, untilOf }: SumKeys): Promise<Due[]> => {
  const rows = await database.system.rows<{ Place: string; Key: string; Days: number }>(sql`
    select "EnergyInfoId" || ' ' || "Month" as "Place", "Key", "Days" from energy_sum where "EnergyInfoId" = any(${circuits.map(({ Id }) => Id)}::bigint[])`)
  const stored = new Map(rows.map((row) => [row.Place, row]))
  const due: Due[] = []
  for (const circuit of circuits) {
    const until = untilOf(circuit.Id)
    if (!until) continue
    const current = today(circuit.Zone, clock())
    const after = keyOf('day', offsets(circuit.Zone, until, until), until)
    for (let month = monthOfKey(current), i = 0; i < mostMonths; month--, i++) {
      const { from, to } = daysOfMonth(month)
      const days = Math.min(to + 1, after) - from
      if (days <= 0) continue
      const [key, held] = [sumKey(circuit.Id, month), stored.get(`${circuit.Id} ${monthText(month)}`)]
      if (held?.Key !== key || held.Days < days) due.push({ circuit, month, key, days })
    }
  }
  return due
}

const store = async ({ database, telemetry, clock }: Needs, due: readonly Due[], all: readonly Circuit[]) => {
  const [{ month, days, circuit }] = due as [Due]
  const db = database.system
  const { from } = daysOfMonth(month)
  const spans = offsets(circuit.Zone, (from - 1) * day, (from + 32) * day)
  const edges = Array.from({ length: days + 1 }, (_, i) => startOfKey('day', spans, from + i))
  const span = { start: edges[0]!, end: edges.at(-1)! }
  const [circuits, deriving] = [due.map((one) => one.circuit), { telemetry, now: clock() }]
  const quarters = await quartersOf(db, deriving, circuits, all, span)
  const prices = await pricedOf(db, deriving, { circuits, all, quarters, span })
  const rows: { Id: number; key: string; total: string; parts: string }[] = []
  const pause = pausing()
  for (const { circuit, key } of due) {
    const sums = sumsOf(quarters.get(circuit.Id)!, prices.get(circuit.Id), edges)
    rows.push({ Id: circuit.Id, key, total: JSON.stringify(encodeSum(added(sums))), parts: JSON.stringify(sums.map(encodeSum)) })
    await pause()
  }
  await db.rows(sql`
    insert into energy_sum ("EnterpriseId", "EnergyInfoId", "Month", "Key", "Days", "Total", "Parts")
    select i."EnterpriseId", i."Id", ${monthText(month)}::date, r.key, ${days}, r.total, r.parts
    from unnest(${rows.map(({ Id }) => Id)}::bigint[], ${rows.map(({ key }) => key)}::text[], ${rows.map(({ total }) => total)}::text[],
      ${rows.map(({ parts }) => parts)}::text[]) r(id, key, total, parts) join energy_info i on i."Id" = r.id
    on conflict ("EnergyInfoId", "Month") do update set "Key" = excluded."Key", "Days" = excluded."Days", "Total" = excluded."Total", "Parts" = excluded."Parts"`)
}

/** Stores what is due, the newest months first; answers whether all of it is stored. */
const storeSums = async (needs: Needs, isStopped: () => boolean): Promise<boolean> => {
  const until = performance.now() + budgetMs
  const circuits = await circuitsWhere(needs.database.system, sql`true`)
  for (const all of Map.groupBy(circuits, ({ EnterpriseId }) => EnterpriseId).values()) {
    const due = await dueOf(needs, all, await sumKeysOf(needs.database.system, all, all))
    const groups = [...Map.groupBy(due, ({ month, days }) => `${month} ${days}`).values()].sort((a, b) => b[0]!.month - a[0]!.month)
    for (const group of groups)
      for (let i = 0; i < group.length; i += circuitsTogether) {
        if (isStopped() || performance.now() > until) return false
        await store(needs, group.slice(i, i + circuitsTogether), all)
      }
  }
  return true
}

/** `outdate`: days were derived, or prices or formulas changed. */
export const createSums = (needs: Needs) => {
  let [isDone, lookedAt] = [false, 0]
  return {
    outdate: () => {
      isDone = false
    },
    run: async (isStopped: () => boolean) => {
      if (isDone && needs.clock() - lookedAt < lookMs) return
      isDone = true
      lookedAt = needs.clock()
      const isWhole = await storeSums(needs, isStopped)
      isDone &&= isWhole
    },
  }
}
