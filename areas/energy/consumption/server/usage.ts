// What circuits used over parts of a range, up to now.
import { FieldFaults } from '../../../../server/http/faults.ts'
import { ownTurn, pausing } from '../../../../server/jobs/ownTurn.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import { type EnergyType, energyTypes, unitsOfTypes } from '../../circuits/contract.ts'
import { factorsOf } from '../../circuits/server/service.ts'
import type { Part } from '../contract.ts'
import type { Circuit } from './circuits.ts'
import type { Span } from './days.ts'
import { partOf } from './figures.ts'
import { type Priced, pricedOf, tariffsOver } from './priced.ts'
import { ordered, type Quarters, quartersOf } from './quarterHours.ts'
import { type Keys, spanOf, textOfDay } from './ranges.ts'
import type { Reading } from './reading.ts'
import { smallSums } from './smallSums.ts'
import { storedSums } from './sumStore.ts'
import { addSum, emptySum, type Sum, sumsOf } from './sums.ts'

/** Maximum quarter-hours in a batch, and in one answer including the operands of its formulas. */
const [together, most] = [3_000_000, 20_000_000]

const ceiling = (time: number) => Math.ceil(time / quarter) * quarter
type Ask = { edges?: readonly number[]; priced?: boolean }
type Take = (id: number, quarters: Quarters, priced: Priced | undefined) => void | Promise<void>
/** Quarter-hours of circuits with their prices, some circuits at a time. */
const eachLive = async ({ db, deriving, all, byId }: Reading, circuits: readonly Circuit[], span: Span, isPriced: boolean, take: Take) => {
  const count = Math.max(1, (span.end - span.start) / quarter)
  const size = Math.max(1, Math.floor(together / count))
  for (let i = 0; i < circuits.length; i += size) {
    const some = circuits.slice(i, i + size)
    if (ordered(some, byId).length * count > most) throw new FieldFaults([{ field: 'DateTo', rule: 'fault.rangeTooLong' }])
    const [quarters, tariffs] = await Promise.all([
      quartersOf(db, deriving, some, all, span),
      isPriced ? tariffsOver(db, some, span) : undefined,
    ])
    const prices = tariffs ? await pricedOf(db, deriving, { circuits: some, all, quarters, span, tariffs }) : new Map<number, never>()
    for (const { Id } of some) {
      await take(Id, quarters.get(Id)!, prices.get(Id))
      await ownTurn()
    }
  }
}
/** Sums from quarter-hours. */
const liveSums = async (reading: Reading, circuits: readonly Circuit[], span: Span, edges: readonly number[], isPriced: boolean) => {
  const answer = new Map<number, Sum[]>()
  await eachLive(reading, circuits, span, isPriced, (id, quarters, priced) => void answer.set(id, sumsOf(quarters, priced, edges)))
  return answer
}

const passedOf = ({ deriving: { now } }: Reading, { start, end }: Span) => ({ start, end: Math.max(start, Math.min(end, ceiling(now))) })

/** Sums of the parts between edges, by circuit; without edges, one of the whole span. What lies in the future is in none. */
export const usageOf = async (
  reading: Reading,
  circuits: readonly Circuit[],
  { start, end }: Span,
  { edges = [start, end], priced = true }: Ask = {},
): Promise<Map<number, Sum[]>> => {
  const span = passedOf(reading, { start, end })
  const { pieces, lacking } = await storedSums(reading, circuits, span, edges, priced)
  if (!pieces.size) return liveSums(reading, circuits, span, edges, priced)
  for (const { span: free, circuits: some } of lacking) {
    const own = [free.start, ...edges.filter((edge) => edge > free.start && edge < free.end), free.end]
    for (const [id, sums] of await liveSums(reading, some, free, own, priced)) {
      const list = pieces.get(id) ?? []
      pieces.set(id, list)
      for (const [i, sum] of sums.entries()) list.push({ part: edges.findLastIndex((edge) => edge <= own[i]!), start: own[i]!, sum })
    }
  }
  return new Map(
    circuits.map(({ Id }) => {
      const parts: Sum[] = edges.slice(1).map(emptySum)
      for (const { part, sum } of (pieces.get(Id) ?? []).sort((a, b) => a.start - b.start)) if (parts[part]) addSum(parts[part], sum)
      return [Id, parts]
    }),
  )
}

/** Parts that are written in one go. */
const partsInOneGo = 256
/** Parts of up to an hour as JSON without its brackets, and their total. */
export const smallPartsOf = async (reading: Reading, circuits: readonly Circuit[], asked: Span, edges: readonly number[]) => {
  const span = passedOf(reading, asked)
  const answer = new Map<number, { whole: Sum; parts: Buffer[] }>()
  const pause = pausing()
  await eachLive(reading, circuits, span, true, async (id, quarters, priced) => {
    const [whole = emptySum()] = sumsOf(quarters, priced, [span.start, span.end])
    const sumOf = smallSums(quarters, priced, edges)
    const texts: Buffer[] = []
    for (let from = 0; from + 1 < edges.length; from += partsInOneGo) {
      const parts: Part[] = []
      for (let i = from; i + 1 < edges.length && i < from + partsInOneGo; i++)
        parts.push(partOf(sumOf(i), edges[i]!, edges[i + 1]!, reading))
      texts.push(Buffer.from(`${from ? ',' : ''}${JSON.stringify(parts).slice(1, -1)}`))
      await pause()
    }
    answer.set(id, { whole, parts: texts })
  })
  return answer
}

export const added = (sums: readonly Sum[]) => sums.reduce(addSum, emptySum())
/** The same parts of several circuits together. */
export const addedParts = (usage: ReadonlyMap<number, Sum[]>, circuits: readonly Circuit[], count: number) =>
  Array.from({ length: count }, (_, i) => added(circuits.flatMap(({ Id }) => usage.get(Id)?.[i] ?? [])))

/** What energy is worth in kg of coal and of CO2, in a range that is cut where a factor changes and at `cuts`. */
export const conversionOf = async ({ db, enterprise, zone }: Reading, keys: Keys, cuts: readonly number[] = []) => {
  const factorOf = await factorsOf(db, enterprise)
  const { start, end } = spanOf(zone, keys)
  const isSame = (day: number) =>
    energyTypes.every((type) => {
      const [a, b] = [factorOf(type, textOfDay(day - 1)), factorOf(type, textOfDay(day))]
      return a.kgce === b.kgce && a.kgco2e === b.kgco2e
    })
  const days = [keys.from]
  for (let day = keys.from + 1; day <= keys.to; day++) if (!isSame(day)) days.push(day)
  const starts = days.map((day) => spanOf(zone, { from: day, to: day }).start)
  const inside = cuts.filter((at) => at > start && at < end)
  const edges = [...new Set([...starts, ...inside, end])].sort((a, b) => a - b)
  const weightOf = ({ EnergyType, Unit }: Pick<Circuit, 'EnergyType' | 'Unit'>, parts: readonly Sum[]) => {
    const type = EnergyType as EnergyType
    // Factors are for the usual unit.
    if (Unit !== unitsOfTypes[type] || !parts.some(({ known }) => known)) return { Kgce: null, Kgco2e: null }
    let [kgce, kgco2e] = [0n, 0n]
    for (const [i, { energy }] of parts.entries()) {
      const factor = factorOf(type, textOfDay(days[starts.findLastIndex((at) => at <= edges[i]!)]!))
      kgce += energy * factor.kgce
      kgco2e += energy * factor.kgco2e
    }
    return { Kgce: Number(kgce) / 1e12, Kgco2e: Number(kgco2e) / 1e12 }
  }
  return { edges, weightOf }
}
