// The flow of energy through circuits, and which of them, of regions or of projects used most.
import type { Answer, Query } from '../../../../contract/call.ts'
import { compileFormula, readStored } from '../../circuits/server/service.ts'
import type { energyCalls, FlowRow, RankBy } from '../contract.ts'
import type { Circuit } from './circuits.ts'
import { costCentresOf } from './costCentres.ts'
import { comparedOf, costOf, energyOf, figureOf, ratio, units } from './figures.ts'
import { currencyOf } from './months.ts'
import { elapsedSpan, keysOf, periodBefore, spanOf, yearBefore } from './ranges.ts'
import { byKind, circuitFields, counted, kindOf, type Reading, seenCircuits } from './reading.ts'
import type { Sum } from './sums.ts'
import { added, conversionOf, usageOf } from './usage.ts'

type Below = { seen: Circuit[]; others: Circuit[] }
/** Circuits of which one is the sum: those below it, or those that its formula adds up. */
const belowOf = ({ byId }: Reading, children: ReadonlyMap<number | null, Circuit[]>, circuit: Circuit): Below => {
  const own = (children.get(circuit.Id) ?? []).filter((one) => kindOf(one) === kindOf(circuit))
  const parts = own.length ? own : addends(circuit).flatMap((id) => byId.get(id) ?? [])
  const { seen = [], others = [] } = Object.groupBy(parts, ({ Seen }) => (Seen ? 'seen' : 'others'))
  return { seen, others }
}
const addends = ({ Formula }: Circuit): number[] => {
  const node = readStored(Formula ?? '')
  const { sum, codes } = node ? compileFormula(node) : {}
  return sum?.divisor === 1n && sum.weights.every((weight) => weight === 1n) ? codes!.map((code) => Number(code.slice(1))) : []
}

const mostRows = 200
const pageOf = <T>(
  rows: readonly T[],
  { PageIndex = 1, PageSize = mostRows }: { PageIndex?: number | undefined; PageSize?: number | undefined },
) => {
  const TotalPages = Math.ceil(rows.length / PageSize)
  return {
    ...{ PageIndex, PageSize, TotalCount: rows.length, TotalMore: false, TotalPages },
    Items: rows.slice((PageIndex - 1) * PageSize, PageIndex * PageSize),
    ...{ HasPrevPages: PageIndex > 1, HasNextPages: PageIndex < TotalPages },
  }
}

export const flow = async (reading: Reading, query: Query<typeof energyCalls.list>): Promise<Answer<typeof energyCalls.list>> => {
  const { zone, byId, deriving, seesCost } = reading
  const keys = keysOf(query)
  const page = pageOf(seenCircuits(reading, query), query)
  const children = Map.groupBy(reading.all, ({ ParentId }) => ParentId)
  const below = new Map(page.Items.map((circuit) => [circuit.Id, belowOf(reading, children, circuit)]))
  const productOf = ({ ProductInfoId }: Circuit) => {
    const product = ProductInfoId === null ? undefined : byId.get(ProductInfoId)
    return product?.Seen ? product : undefined
  }
  const extra = page.Items.flatMap((one) => [...Object.values(below.get(one.Id)!).flat(), ...(productOf(one) ? [productOf(one)!] : [])])
  const ids = new Set(page.Items.map(({ Id }) => Id))
  const others = [...new Set(extra)].filter(({ Id }) => !ids.has(Id))
  const { edges, weightOf } = await conversionOf(reading, keys)
  const span = spanOf(zone, keys)
  const usage = await usageOf(reading, page.Items, span, { edges, priced: seesCost })
  for (const [id, sums] of await usageOf(reading, others, span, { edges, priced: false })) usage.set(id, sums)
  const earlier = (other: typeof keys) => usageOf(reading, page.Items, elapsedSpan(zone, other, keys, deriving.now), { priced: false })
  const [lastYear, lastPeriod] = [await earlier(yearBefore(keys)), await earlier(periodBefore(keys))]
  const row = (circuit: Circuit): FlowRow => {
    const parts = usage.get(circuit.Id)!
    const sum = added(parts)
    const { seen, others } = below.get(circuit.Id)!
    const all = (some: readonly Circuit[]) => added(some.flatMap(({ Id }) => usage.get(Id)!))
    const product = productOf(circuit)
    const made = product ? energyOf(all([product])) : null
    // A sum whose parts are all seen and elsewhere in the tree hides nothing.
    const hasRest = sum.known > 0 && (others.length > 0 || seen.some(({ ParentId }) => ParentId === circuit.Id))
    return {
      ...circuitFields(circuit),
      ...figureOf(sum, reading),
      ...comparedOf(sum, added(lastYear.get(circuit.Id)!), added(lastPeriod.get(circuit.Id)!)),
      ProjectName: circuit.ProjectName,
      Rest: hasRest ? units(sum.energy - all(seen).energy) : null,
      Others: hasRest && others.length ? units(all(others).energy) : null,
      ...weightOf(circuit, parts),
      PerArea: ratio(energyOf(sum), circuit.AreaM2),
      PerProduct: ratio(energyOf(sum), made),
      ...(seesCost ? { CostPerProduct: ratio(costOf(sum), made) } : {}),
      ProductUnit: product?.Unit ?? null,
    }
  }
  return { ...page, Items: page.Items.map(row), ...currencyOf(reading) }
}

type Ranked = { circuits: Circuit[]; id: number; name: string; area: number | null }
/** What is ranked, in one kind of energy; regions and projects with what their totals count. */
const rankedBy = (reading: Reading, by: Exclude<RankBy, 'costCentre'>, circuits: readonly Circuit[]): Ranked[] => {
  if (by === 'circuit') return circuits.map((one) => ({ circuits: [one], id: one.Id, name: one.EnergyName, area: one.AreaM2 }))
  const keyOf = (one: Circuit) => (by === 'region' ? one.RegionId : one.ProjectId)
  return [...Map.groupBy(circuits, keyOf)].flatMap(([id, of]) =>
    id === null
      ? []
      : [{ circuits: counted(reading, of), id, name: (by === 'region' ? of[0]!.RegionName : of[0]!.ProjectName) ?? '', area: null }],
  )
}

type Ranking = Answer<typeof energyCalls.ranking>
export const ranking = async (reading: Reading, query: Query<typeof energyCalls.ranking>): Promise<Ranking> => {
  const circuits = seenCircuits(reading, query)
  const keys = keysOf(query)
  const { RankBy = 'circuit' } = query
  const usage = await usageOf(reading, circuits, spanOf(reading.zone, keys), { priced: reading.seesCost })
  const all = (some: readonly Circuit[]): Sum => added(some.flatMap(({ Id }) => usage.get(Id)!))
  const Items: Ranking['Items'] = []
  for (const of of byKind(circuits)) {
    const whole = all(counted(reading, of)).energy
    const { EnergyType, Unit } = of[0]!
    const ranked =
      RankBy === 'costCentre'
        ? await costCentresOf(reading, of, keys)
        : rankedBy(reading, RankBy, of).map(({ circuits, ...one }) => ({ ...one, sum: all(circuits) }))
    for (const { id, name, area, sum } of ranked.sort((a, b) => Number(b.sum.energy) - Number(a.sum.energy) || (a.id ?? 0) - (b.id ?? 0)))
      Items.push({
        ...figureOf(sum, reading),
        ...{ EnergyType, Unit, RankId: id, Name: name },
        Share: whole > 0n && sum.known ? (100 * Number(sum.energy)) / Number(whole) : null,
        PerArea: ratio(energyOf(sum), area),
      })
  }
  return { Items, ...currencyOf(reading) }
}

export const infoList = (reading: Reading, { ProjectId }: { ProjectId?: number | undefined }) =>
  seenCircuits(reading, { ProjectId }).map((one) => ({
    ...circuitFields(one),
    ...{ ProjectId: one.ProjectId, ProjectName: one.ProjectName, Source: one.Source },
  }))
