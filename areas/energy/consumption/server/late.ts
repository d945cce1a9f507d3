// Compares closed months, at their frozen prices, with today's readings and with amounts that are settled already.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Circuit } from './circuits.ts'
import { type Keys, monthKeys, partsOf, spanOf, textOfDay } from './ranges.ts'
import type { Reading } from './reading.ts'
import { type FrozenStatement, type LateAmount, monthOf, thawSum } from './statements.ts'
import type { Sum } from './sums.ts'
import { added, usageOf } from './usage.ts'

/** Months that are looked at for readings that came late. */
export const monthsLookedAt = 13

export type Closed = { Month: string; Statement: FrozenStatement; Sha256: string; CloserName: string | null; ClosedTime: number }
/** The latest closed months of a project, or a given one. */
export const closedMonths = async (db: Db, ProjectId: number, Month?: string): Promise<Closed[]> => {
  const rows = await db.rows<Omit<Closed, 'Statement'> & { Statement: string }>(sql`
    select "Month", "Statement", "Sha256", "CloserName", (extract(epoch from "CreateTime") * 1000)::float8 as "ClosedTime" from energy_month
    where "ProjectId" = ${ProjectId} ${Month === undefined ? sql`` : sql`and "Month" = ${Month}`} order by "Month" desc limit ${monthsLookedAt}`)
  return rows.map((row) => ({ ...row, Statement: JSON.parse(row.Statement) }))
}

type Amount = { energy: bigint; cost: bigint }
const costOfLines = (lines: readonly { cost: string | bigint }[]) => lines.reduce((sum, { cost }) => sum + BigInt(cost), 0n)
/** What later months have settled already, by month and circuit. */
const settledIn = (closed: readonly Closed[]) => {
  const settled = new Map<string, Amount>()
  for (const { Statement } of closed)
    for (const { Month, Circuit, Energy, Cost } of Statement.Late) {
      const key = `${Month} ${Circuit}`
      const before = settled.get(key) ?? { energy: 0n, cost: 0n }
      settled.set(key, { energy: before.energy + BigInt(Energy), cost: before.cost + BigInt(Cost) })
    }
  return settled
}

/** Leaves out removed circuits. */
export const lateOf = async (
  reading: Reading,
  ProjectId: number,
  closed: readonly Closed[],
  of: readonly Closed[] = closed,
): Promise<LateAmount[]> => {
  const settled = settledIn(closed)
  const late: LateAmount[] = []
  for (const { Month, Statement } of of.toReversed()) {
    const { days, statements } = await monthOf(reading, ProjectId, Month)
    for (const { Id, EnergyName, EnergyCode, Unit, Days, Lines } of Statement.Circuits) {
      if (!days.has(Id)) continue
      const before = settled.get(`${Month} ${Id}`) ?? { energy: 0n, cost: 0n }
      const energy = added(days.get(Id)!).energy - added(Days.map(thawSum)).energy - before.energy
      const cost = costOfLines(statements.get(Id)?.lines ?? []) - costOfLines(Lines) - before.cost
      if (energy || cost) late.push({ Month, Circuit: Id, EnergyName, EnergyCode, Unit, Energy: String(energy), Cost: String(cost) })
    }
  }
  return late
}

/** Days of circuits that are frozen in closed months, by their place in a range; the others are open. */
export const frozenDays = async (db: Db, circuits: readonly Circuit[], { from, to }: Keys): Promise<Map<number, Sum[]>> => {
  const projects = [...new Set(circuits.map(({ ProjectId }) => ProjectId))]
  const rows = await db.rows<{ Month: string; Statement: string }>(sql`
    select "Month", "Statement" from energy_month where "ProjectId" = any(${projects}::bigint[])
      and "Month" >= ${textOfDay(from).slice(0, 7)} and "Month" <= ${textOfDay(to).slice(0, 7)}`)
  const asked = new Set(circuits.map(({ Id }) => Id))
  const found = new Map<number, Sum[]>()
  for (const { Month, Statement } of rows) {
    const month = monthKeys(Month)
    for (const { Id, Days } of (JSON.parse(Statement) as FrozenStatement).Circuits) {
      if (!asked.has(Id)) continue
      const days = found.get(Id) ?? []
      found.set(Id, days)
      for (let day = Math.max(from, month.from); day <= Math.min(to, month.to); day++) days[day - from] = thawSum(Days[day - month.from]!)
    }
  }
  return found
}

/** Difference between today's readings and the frozen statements of closed months, by circuit. */
export const lateIn = async (reading: Reading, circuits: readonly Circuit[], keys: Keys): Promise<Map<number, bigint>> => {
  const frozen = await frozenDays(reading.db, circuits, keys)
  const touched = circuits.filter(({ Id }) => frozen.has(Id))
  if (!touched.length) return new Map()
  const span = spanOf(reading.zone, keys)
  const usage = await usageOf(reading, touched, span, { edges: partsOf(reading.zone, span, 'day').edges, priced: false })
  return new Map(
    touched.map(({ Id }) => {
      const days = frozen.get(Id)!
      return [Id, usage.get(Id)!.reduce((all, { energy }, i) => (days[i] ? all + energy - days[i].energy : all), 0n)]
    }),
  )
}
