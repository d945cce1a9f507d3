// The lines of a month: energy, demand, power factor, charges, taxes. Amounts are billionths of the currency.
import { dayOf } from '../../../../contract/days.ts'
import { byKva, byPeak, perDay, tiered } from '../prices.ts'
import { missing, type QuarterHours, quarterMs } from '../quarterHours.ts'
import { rounded } from '../rounding.ts'
import { adjustmentOf, powerFactor } from './powerFactor.ts'
import { type Before, counterOf, energyOfTiers, type Priced, price } from './pricing.ts'
import { type IsHoliday, monthOf, type PriceVersion, timeline, versionAt } from './timeline.ts'

export type LineKind = 'energy' | 'demand' | 'powerFactor' | 'charge' | 'tax'
export type StatementLine = {
  kind: LineKind
  /** Of a charge or tax. */
  name: string
  /** 0 unassigned, 1 sharp to 5 deep valley. */
  level: number
  /** From 1; 0 where there are no tiers. */
  tier: number
  /** The days of the month for which its prices hold, `YYYY-MM-DD`, both included. */
  from: string
  to: string
  /** Thousandths: of the unit, or of kW or kVA. */
  quantity: bigint | null
  /** Billionths for one; null where prices are mixed. */
  price: bigint | null
  /** Of an adjustment or a tax. */
  percent: number | null
  cost: bigint
}
export type Statement = {
  lines: StatementLine[]
  total: bigint
  /** Thousandths of a kW, and the instant at which its block began. */
  demand: { power: bigint; at: number } | null
  /** Hundredths. */
  factor: number | null
  unpriced: bigint
}

/**
 * Highest mean of blocks of 15 or 30 minutes of the wall clock, in thousandths of the unit per hour. What was not measured has no mean:
 * a block with a missing or unknown quarter-hour is left out.
 */
export const demandOf = (zone: string, { start, value, quality, unknown }: QuarterHours, minutes: number) => {
  const size = minutes === 30 ? 2 : 1
  let best: { power: bigint; at: number } | null = null
  for (const { from, to, first } of timeline([], zone, never, start, value.length))
    for (let i = from + ((size - (first % size)) % size); i + size <= to; i += size) {
      let energy = 0n
      let isKnown = true
      for (let k = i; k < i + size; k++) {
        if (quality[k] === missing || unknown[k]) isKnown = false
        energy += value[k]!
      }
      const power = (energy * 4n) / BigInt(size)
      if (isKnown && (!best || power > best.power)) best = { power, at: start + i * quarterMs }
    }
  return best
}
const never: IsHoliday = () => false

export type Month = {
  versions: readonly PriceVersion[]
  zone: string
  isHoliday: IsHoliday
  /** All quarter-hours of the local month, or those that are over. */
  quarters: QuarterHours
  before?: Before
  /** kvarh in thousandths; without them there is no power factor. */
  reactive?: bigint | null
  /** Days of the month that charges are for, both included, as days since 1970; otherwise the whole month. */
  days?: { from: number; to: number } | undefined
}

/** Days of a month, and which version holds on each. */
const partsOf = (
  versions: readonly PriceVersion[],
  month: number,
  only = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
) => {
  const first = Date.UTC(1970, month, 1) / 86_400_000
  const days = Date.UTC(1970, month + 1, 1) / 86_400_000 - first
  const parts: { version: PriceVersion; from: number; to: number }[] = []
  for (let day = Math.max(first, only.from); day < first + days && day <= only.to; day++) {
    const version = versionAt(versions, day)
    const last = parts.at(-1)
    if (version && last?.version === version && last.to === day - 1) last.to = day
    else if (version) parts.push({ version, from: day, to: day })
  }
  return { first, days, parts }
}
type Part = ReturnType<typeof partsOf>['parts'][number]

/** The share of a month's amount that falls on its days [from, to]: shares of equal amounts add up to the whole. */
const shareOf = (amount: bigint, first: number, days: number, { from, to }: Part) => {
  const until = (day: number) => (amount * BigInt(day - first)) / BigInt(days)
  return until(to + 1) - until(from)
}

const line = (kind: LineKind, { from, to }: Part, of: Partial<StatementLine> & { cost: bigint }): StatementLine => ({
  ...{ kind, name: '', level: 0, tier: 0, quantity: null, price: null, percent: null },
  ...{ from: dayOf(from), to: dayOf(to) },
  ...of,
})

/** Energy by level and price, or by tier. */
const energyLines = ({ versions, zone, isHoliday, quarters, before = { month: 0n, year: 0n } }: Month, priced: Priced, parts: Part[]) => {
  const { start, value } = quarters
  const counter = counterOf(before)
  type Sum = { level: number; tier: number; price: bigint | null; quantity: bigint; cost: bigint }
  const sums = new Map<Part, Map<string, Sum>>(parts.map((part) => [part, new Map<string, Sum>()]))
  const add = (part: Part, level: number, tier: number, unit: bigint | null, quantity: bigint, cost: bigint) => {
    const of = sums.get(part)!
    const key = `${level} ${tier} ${level || tier ? unit : ''}`
    const sum = of.get(key)
    if (!sum) of.set(key, { level, tier, price: unit, quantity, cost })
    else {
      sum.quantity += quantity
      sum.cost += cost
      // What was missing is spread over hours of many prices.
      if (sum.price !== unit) sum.price = null
    }
  }
  for (const { from, to, first, day, month, version, table } of timeline(versions, zone, isHoliday, start, value.length)) {
    const part = parts.find((p) => p.version === version && p.from <= day && day <= p.to)
    counter.enter(month)
    for (let i = from; i < to; i++) {
      if (!value[i]) continue
      if (version?.type === tiered && part) {
        const old = counter.of(version.tierPeriod)
        counter.add(value[i]!)
        energyOfTiers(version.tiers, old, counter.of(version.tierPeriod)).forEach((quantity, k) => {
          const unit = version.tiers[k]!.price
          if (quantity) add(part, 0, k + 1, unit * 1000n, quantity, quantity * unit)
        })
        continue
      }
      counter.add(value[i]!)
      if (part && table) add(part, priced.level[i]!, 0, table.price[first + i - from]! * 1000n, value[i]!, priced.cost[i]!)
    }
  }
  return parts.flatMap((part) =>
    [...sums.get(part)!.values()]
      .sort((a, b) => (a.level || 9) - (b.level || 9) || a.tier - b.tier)
      .map((sum) => line('energy', part, sum)),
  )
}

const sumOf = (lines: readonly StatementLine[]) => lines.reduce((sum, { cost }) => sum + cost, 0n)

/** The statement of a month. Its lines, unrounded, add up to its total. */
export const statementOf = (given: Month): Statement => {
  const { versions, zone, isHoliday, quarters, reactive = null } = given
  const priced = price(versions, zone, isHoliday, quarters, given.before)
  const month = timeline(versions, zone, isHoliday, quarters.start, quarters.value.length)[0]?.month ?? monthOf(quarters.start / 86_400_000)
  const { first, days, parts } = partsOf(versions, month, given.days)
  const energy = energyLines(given, priced, parts)
  const byMinutes = new Map([15, 30].map((minutes) => [minutes, demandOf(zone, quarters, minutes)]))
  const active = quarters.value.reduce((sum, value) => sum + value, 0n)
  const factor = reactive === null ? null : powerFactor(active, reactive)

  const demandLine = (part: Part): StatementLine[] => {
    const { type, price: unit, minutes, kva } = part.version.demand
    const quantity = type === byKva ? kva : type === byPeak ? byMinutes.get(minutes)?.power : undefined
    if (quantity === undefined) return []
    return [line('demand', part, { quantity, price: unit, cost: shareOf((unit * quantity) / 1000n, first, days, part) })]
  }
  const lines = parts.flatMap((part) => {
    const ofPart = [...energy.filter(({ from }) => from === dayOf(part.from)), ...demandLine(part)]
    const { pfStandard, charges, taxes } = part.version
    if (pfStandard !== null && factor !== null) {
      const hundredths = adjustmentOf(factor, Math.round(pfStandard * 100))
      const cost = rounded(sumOf(ofPart) * BigInt(hundredths), 10_000n)
      if (hundredths) ofPart.push(line('powerFactor', part, { percent: hundredths / 100, cost }))
    }
    for (const { Name, Amount, Per } of charges) {
      const amount = BigInt(Math.round(Amount * 1e6)) * 1000n
      const cost = Per === perDay ? amount * BigInt(part.to - part.from + 1) : shareOf(amount, first, days, part)
      ofPart.push(line('charge', part, { name: Name, price: amount, cost }))
    }
    const untaxed = sumOf(ofPart)
    let taxed = 0n
    for (const { Name, Percent, OnTaxes } of taxes) {
      const cost = rounded((untaxed + (OnTaxes ? taxed : 0n)) * BigInt(Math.round(Percent * 1e4)), 1_000_000n)
      taxed += cost
      ofPart.push(line('tax', part, { name: Name, percent: Percent, cost }))
    }
    return ofPart
  })
  const peakMinutes = parts.at(-1)?.version.demand.minutes ?? 15
  return { lines, total: sumOf(lines), demand: byMinutes.get(peakMinutes) ?? null, factor, unpriced: priced.unpriced }
}
