// How much of chemicals was used between edges, and how much water was treated, from readings and entries.
import { sql } from 'kysely'
import { parseFormula } from '../../../../contract/expression/parse.ts'
import type { Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { countedIn } from '../../../../server/telemetry/meaning/counter.ts'
import { CalDataType, type Meaning } from '../../../../server/telemetry/meaning/statistics.ts'
import { day, hour, quarter } from '../../../../server/telemetry/store/store.ts'
import { meaningsOf } from '../../../analysis/telemetry/server/service.ts'
import { type EntryTables, enteredQuarters, entriesOf } from '../../../energy/consumption/server/service.ts'
import { entered, fromPoint, fromStroke, fromTank } from '../../chemicals/contract.ts'
import { fallenIn, type Levels, leastRise, type Rise, risesIn } from '../tank.ts'
import type { Drug, Measuring } from './reading.ts'

/** In thousandths of a unit, and of a m³; null where nothing is known. `missing`: what of it lies in long gaps. */
export type Amount = { qty: bigint | null; missing: bigint; isEntered: boolean; water: bigint | null }
type Total = { total: number | null; inGaps: number }

/** Readings that one question costs at most; beyond, roll-ups answer. */
const mostReadings = 200_000

/** What points counted between edges, in their units. */
const totalsOf = async ({ telemetry }: Measuring, meanings: readonly Meaning[], edges: readonly number[]) => {
  const answer = new Map<number, Total[]>()
  const counters = meanings.filter(({ type }) => type === CalDataType.counter)
  const curves = counters.length ? await telemetry.statistics.curves(counters, edges) : undefined
  for (const { id } of counters)
    answer.set(
      id,
      edges.slice(1).map((end, i) => {
        const of = countedIn(curves!.get(id) ?? { time: [], total: [], marks: [] }, edges[i]!, end)
        return of ? { total: of.counted / 1000, inGaps: of.inGaps / 1000 } : { total: null, inGaps: 0 }
      }),
    )
  const others = meanings.filter(({ type }) => type === CalDataType.amount || type === CalDataType.rate)
  for (const { id, parts } of others.length ? await telemetry.statistics.of(others, { edges: [...edges] }, mostReadings, true) : [])
    answer.set(
      id,
      parts.map(({ total }) => ({ total, inGaps: 0 })),
    )
  return answer
}

/** Whole thousandths whose sums are those of the whole, wherever it is cut. */
const inThousandths = (values: readonly (number | null)[], factor: number): (bigint | null)[] => {
  let [sum, before] = [0, 0n]
  return values.map((value) => {
    if (value === null) return null
    sum += value * factor * 1000
    const now = BigInt(Math.round(sum))
    const part = now - before
    before = now
    return part
  })
}

/** A stroke is set now and then: it holds for so long at least, ms. */
const leastHold = quarter
/** % of a pump's stroke while it runs, times hours. */
const strokesOf = async (db: Db, { telemetry }: Measuring, drugs: readonly Drug[], edges: readonly number[]) => {
  const answer = new Map<number, (number | null)[]>()
  for (const { Id, EnterpriseId, ParaId, RunParaId } of drugs) {
    if (ParaId === null) continue
    const Expression = RunParaId === null ? `#${ParaId}` : `#${ParaId} * #${RunParaId}`
    const { meanings } = await meaningsOf(db, serverActor(EnterpriseId), RunParaId === null ? [ParaId] : [ParaId, RunParaId])
    const holds = new Map(meanings.map(({ id, expected }) => [id, Math.max(leastHold, ...expected.map(({ ms }) => 3 * ms))]))
    const formulas = new Map([[-Id, { id: -Id, tree: parseFormula(Expression).tree!, holds }]])
    const meaning: Meaning = {
      ...{ id: -Id, type: CalDataType.rate, limits: { low: null, high: null }, expected: [{ until: Number.POSITIVE_INFINITY, ms: hour }] },
      counter: { maxReading: null, hourlyHigh: null, tolerance: 0, answers: new Map() },
    }
    const [found] = await telemetry.withFormulas(formulas).statistics.of([meaning], { edges: [...edges] }, mostReadings, true)
    answer.set(
      Id,
      found!.parts.map(({ total }) => total),
    )
  }
  return answer
}

/** Units of the chemical that one unit of the tank's point is. */
const tankFactor = ({ TankFactor, TankSize }: Drug) => TankFactor ?? (TankSize ?? 0) / 100
/** Days for which levels are read by the quarter-hour; beyond, by the hour. */
const fineDays = 62
/** Levels of a tank around a range, in thousandths. */
export const levelsOf = async ({ telemetry, now }: Measuring, drug: Drug, start: number, end: number): Promise<Levels> => {
  const ms = end - start > fineDays * day ? hour : quarter
  const from = Math.floor(start / hour) * hour - day
  const [found] = await telemetry.aside.buckets([drug.TankParaId!], from, Math.min(end, now + 1), { ms, origin: from })
  const [time, qty]: [number[], number[]] = [[], []]
  for (const [i, last] of (found?.last ?? []).entries()) {
    if (last === null || !found!.count[i]) continue
    time.push(Math.min(found!.time[i]! + ms, now))
    qty.push(Math.round(last * tankFactor(drug) * 1000))
  }
  return { time, qty }
}
export const risesOf = (drug: Drug, levels: Levels): Rise[] =>
  risesIn(levels, leastRise(drug.TankSize === null ? Math.max(0, ...levels.qty) : drug.TankSize * 1000))
/** Current level of the tank; null without a reading in the last day. */
export const tankNow = ({ telemetry, now }: Measuring, drug: Drug): number | null => {
  const latest = drug.TankParaId === null ? undefined : telemetry.latest.get(drug.TankParaId)
  return latest && latest.value !== null && latest.time > now - day ? latest.value * tankFactor(drug) : null
}

const entriesTable = (column: 'Value' | 'WaterValue'): EntryTables => ({
  of: sql`drug_info`,
  data: sql`(select "DrugInfoId" as "EnergyInfoId", "DataTime", "CycleType", ${sql.raw(`"${column}"`)} as "Value", 0 as "IsReading"
    from drug_info_data where ${sql.raw(`"${column}"`)} is not null)`,
})
const quarters = (from: number, to: number) => ({ start: Math.floor(from / quarter) * quarter, count: Math.ceil((to - from) / quarter) })
/** Entered amounts between edges. */
const enteredIn = async (db: Db, ids: readonly number[], edges: readonly number[], column: 'Value' | 'WaterValue') => {
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const entries = Map.groupBy(await entriesOf(db, ids, start, end, entriesTable(column)), ({ circuit }) => circuit)
  return new Map(
    ids.map((id) => {
      const { value, unknown, start: origin } = enteredQuarters(entries.get(id) ?? [], quarters(start, end))
      return [
        id,
        edges.slice(1).map((to, i) => {
          let sum: bigint | null = null
          for (let q = Math.round((edges[i]! - origin) / quarter); q < Math.round((to - origin) / quarter); q++)
            if (!unknown[q]) sum = (sum ?? 0n) + BigInt(value[q]!)
          return sum
        }),
      ] as const
    }),
  )
}

/** Amounts of each part between edges, whole quarter-hours, by chemical. All of one company. */
export const amountsOf = async (db: Db, measuring: Measuring, drugs: readonly Drug[], edges: readonly number[]) => {
  const answer = new Map<number, Amount[]>()
  if (!drugs.length || edges.length < 2) return answer
  const actor = serverActor(drugs[0]!.EnterpriseId)
  const ids = drugs
    .flatMap(({ Source, ParaId, WaterParaId }) => [Source === fromPoint ? ParaId : null, WaterParaId])
    .filter((id) => id !== null)
  const { meanings } = ids.length ? await meaningsOf(db, actor, ids) : { meanings: [] }
  const totals = await totalsOf(measuring, meanings, edges)
  const of = (source: number) => drugs.filter(({ Source }) => Source === source)
  const idsOf = (some: readonly Drug[]) => some.map(({ Id }) => Id)
  const amounts = await enteredIn(db, idsOf(of(entered)), edges, 'Value')
  const water = await enteredIn(db, idsOf(drugs.filter(({ WaterParaId }) => WaterParaId === null)), edges, 'WaterValue')
  const strokes = await strokesOf(db, measuring, of(fromStroke), edges)
  const none = edges.slice(1).map(() => null)
  for (const drug of drugs) {
    const { Id, Source, ParaId, WaterParaId, Multiplier, PumpRate } = drug
    let [qty, missing]: [(bigint | null)[], bigint[]] = [none, none.map(() => 0n)]
    if (Source === entered) qty = amounts.get(Id)!
    else if (Source === fromStroke && PumpRate !== null) qty = inThousandths(strokes.get(Id) ?? none, PumpRate / 100)
    else if (Source === fromPoint && ParaId !== null) {
      const parts = totals.get(ParaId)
      qty = inThousandths(parts?.map(({ total }) => total) ?? none, Multiplier)
      missing = parts?.map(({ inGaps }) => BigInt(Math.round(inGaps * Multiplier * 1000))) ?? missing
    } else if (Source === fromTank && drug.TankParaId !== null) {
      const levels = await levelsOf(measuring, drug, edges[0]!, edges.at(-1)!)
      const parts = fallenIn(levels, risesOf(drug, levels), edges)
      qty = parts.map((part) => (part.qty === null ? null : BigInt(Math.round(part.qty))))
      missing = parts.map((part) => BigInt(Math.round(part.missing)))
    }
    const treated = WaterParaId === null ? water.get(Id)! : inThousandths(totals.get(WaterParaId)?.map(({ total }) => total) ?? none, 1)
    answer.set(
      Id,
      qty.map((one, i) => ({ qty: one, missing: missing[i]!, isEntered: Source === entered, water: treated[i] ?? null })),
    )
  }
  return answer
}
