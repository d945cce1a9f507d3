// Circuits part by part: one alone, several beside each other, or one in several ranges.
import type { Body, Query } from '../../../../contract/call.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { type Division, type energyCalls, mostParts } from '../contract.ts'
import type { Circuit } from './circuits.ts'
import type { Span } from './days.ts'
import { costOf, energyOf, figureOf, levelsOf, partOf, ratio, seriesOf, units } from './figures.ts'
import { lateIn } from './late.ts'
import { currencyOf } from './months.ts'
import { elapsedSpan, type Keys, keysOf, partsOf, periodBefore, spanOf, textOfDay, yearBefore } from './ranges.ts'
import { circuitFields, type Reading, seenCircuits } from './reading.ts'
import { addSum, emptySum, type Sum } from './sums.ts'
import { added, smallPartsOf, usageOf } from './usage.ts'

type Parts = { start: number; end: number; sum: Sum }[]
/** Parts of a range; hours of a week are joined over its weeks, and numbered. */
const joined = (sums: readonly Sum[], { edges, groups }: ReturnType<typeof partsOf>): Parts => {
  if (!groups) return sums.map((sum, i) => ({ start: edges[i]!, end: edges[i + 1]!, sum }))
  const found = new Map<number, Sum>()
  for (const [i, sum] of sums.entries()) found.set(groups[i]!, addSum(found.get(groups[i]!) ?? emptySum(), sum))
  return [...found].sort(([a], [b]) => a - b).map(([group, sum]) => ({ start: group, end: group + 1, sum }))
}

/** JSON in pieces. */
export type Json = (string | Buffer)[]
const seriesIn = async (reading: Reading, circuits: readonly Circuit[], keys: Keys, division: Division): Promise<Json[]> => {
  const span = spanOf(reading.zone, keys)
  const parts = partsOf(reading.zone, span, division)
  if ((parts.edges.length - 1) * circuits.length > 4 * mostParts) throw new FieldFaults([{ field: 'Division', rule: 'fault.rangeTooLong' }])
  const isSmall = division === 'hour' || division === 'quarter'
  const [found, late] = await Promise.all([
    isSmall ? smallPartsOf(reading, circuits, span, parts.edges) : sumPartsOf(reading, circuits, span, parts),
    lateIn(reading, circuits, keys),
  ])
  return circuits.map((circuit) => {
    const [{ whole, parts }, more] = [found.get(circuit.Id)!, late.get(circuit.Id)]
    const series = { ...seriesOf(circuit, keys, whole, reading), ...(more ? { Late: units(more) } : {}) }
    return [`${JSON.stringify(series).slice(0, -1)},"Parts":[`, ...parts, ']}']
  })
}
/** Parts of a day or more, or hours of a week. */
const sumPartsOf = async (reading: Reading, circuits: readonly Circuit[], span: Span, parts: ReturnType<typeof partsOf>) => {
  const usage = await usageOf(reading, circuits, span, { edges: parts.edges })
  const figures = ([id, sums]: [number, Sum[]]) => {
    const all = joined(sums, parts).map(({ sum, start, end }) => partOf(sum, start, end, reading))
    return [id, { whole: added(sums), parts: [JSON.stringify(all).slice(1, -1)] }] as const
  }
  return new Map([...usage].map(figures))
}
/** By days up to two months, by months beyond. */
const usualDivision = ({ from, to }: Keys): Division => (to - from < 2 ? 'hour' : to - from < 62 ? 'day' : 'month')
const circuitsOf = ({ byId }: Reading, ids: readonly number[]) => [...new Set(ids)].map((id) => byId.get(id)!)
const framed = (reading: Reading, name: 'Series' | 'Items', series: Json): Json => [
  `${JSON.stringify({ ...currencyOf(reading), Zone: reading.zone }).slice(0, -1)},"${name}":`,
  ...series,
  '}',
]
const listed = (items: readonly Json[]): Json => ['[', ...items.flatMap((item, i) => (i ? [',', ...item] : item)), ']']

export const chart = async (reading: Reading, { EnergyInfoId, Division, ...days }: Query<typeof energyCalls.chart>) => {
  const keys = keysOf(days)
  const [Series] = await seriesIn(reading, circuitsOf(reading, [EnergyInfoId]), keys, Division ?? usualDivision(keys))
  return framed(reading, 'Series', Series!)
}

export const custom = async (reading: Reading, { EnergyInfoIds, Division, ...days }: Body<typeof energyCalls.custom>) => {
  const keys = keysOf(days)
  const items = await seriesIn(reading, circuitsOf(reading, EnergyInfoIds), keys, Division ?? usualDivision(keys))
  return framed(reading, 'Items', listed(items))
}

/** The nearest range that begins on the same day of the week. */
const onWeekday = ({ from, to }: Keys, first: Keys): Keys => {
  const off = (((from - first.from) % 7) + 7) % 7
  const by = off > 3 ? 7 - off : -off
  return { from: from + by, to: to + by }
}
/** Ranges of as many days as the first. */
const rangesOf = ({ Ranges, Align, EnergyInfoIds }: Body<typeof energyCalls.compare>): Keys[] => {
  const ranges = Ranges.map((range, i) => {
    try {
      return keysOf(range)
    } catch (error) {
      throw error instanceof FieldFaults ? error.below(`Ranges.${i}`) : error
    }
  })
  const [first] = ranges as [Keys]
  const other = ranges.findIndex(({ from, to }) => to - from !== first.to - first.from)
  if (other >= 0)
    throw new FieldFaults([{ field: `Ranges.${other}.DateTo`, rule: 'energy.unequalDays', values: { days: first.to - first.from + 1 } }])
  if (ranges.length > 1 && EnergyInfoIds.length > 1) throw new FieldFaults([{ field: 'Ranges', rule: 'energy.oneOrOther' }])
  return Align === 'weekday' ? ranges.map((range) => onWeekday(range, first)) : ranges
}
export const compare = async (reading: Reading, body: Body<typeof energyCalls.compare>) => {
  const circuits = circuitsOf(reading, body.EnergyInfoIds)
  const items: Json[] = []
  for (const keys of rangesOf(body)) items.push(...(await seriesIn(reading, circuits, keys, body.Division ?? usualDivision(keys))))
  return framed(reading, 'Items', listed(items))
}

/** One circuit by price level, and by level in each hour of the day. */
export const levelData = async (reading: Reading, { EnergyInfoId, ...days }: Query<typeof energyCalls.levelData>) => {
  const span = spanOf(reading.zone, keysOf(days))
  const parts = partsOf(reading.zone, span, 'weekday-hour')
  const sums = (await usageOf(reading, circuitsOf(reading, [EnergyInfoId]), span, { edges: parts.edges })).get(EnergyInfoId)!
  const hours = Map.groupBy(joined(sums, parts), ({ start }) => start % 24)
  return {
    ...currencyOf(reading),
    Levels: levelsOf(added(sums), reading),
    Hours: Array.from({ length: 24 }, (_, Hour) => ({
      Hour,
      Levels: levelsOf(added((hours.get(Hour) ?? []).map(({ sum }) => sum)), reading),
    })),
  }
}

/** Defaults to electricity. */
export const levelStatistics = async (reading: Reading, query: Query<typeof energyCalls.levelStatistics>) => {
  const circuits = seenCircuits(reading, { ProjectId: query.ProjectId, EnergyType: query.EnergyType ?? 1 })
  const usage = await usageOf(reading, circuits, spanOf(reading.zone, keysOf(query)))
  const Items = circuits.map((circuit) => {
    const sum = added(usage.get(circuit.Id)!)
    const priced = added([{ ...sum, energy: sum.energy - sum.unpriced }])
    return {
      ...circuitFields(circuit),
      ...figureOf(sum, reading),
      ...(reading.seesCost ? { MeanPrice: ratio(costOf(sum), energyOf(priced)) } : {}),
      Levels: levelsOf(sum, reading),
    }
  })
  return { ...currencyOf(reading), Items }
}

export const levelComparison = async (reading: Reading, { EnergyInfoId, ...days }: Query<typeof energyCalls.levelComparison>) => {
  const keys = keysOf(days)
  const circuits = circuitsOf(reading, [EnergyInfoId])
  const Items = []
  for (const { from, to } of [keys, periodBefore(keys), yearBefore(keys)]) {
    const span = elapsedSpan(reading.zone, { from, to }, keys, reading.deriving.now)
    const sum = added((await usageOf(reading, circuits, span)).get(EnergyInfoId)!)
    Items.push({ ...figureOf(sum, reading), DateFrom: textOfDay(from), DateTo: textOfDay(to), Levels: levelsOf(sum, reading) })
  }
  return { ...currencyOf(reading), Items }
}
