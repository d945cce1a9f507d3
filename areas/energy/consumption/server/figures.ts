// Figures as they leave: exact sums become numbers here, and money is left out for people without the right to see it.
import type { Figure, LevelFigure, Part, Shares } from '../contract.ts'
import type { Circuit } from './circuits.ts'
import { textOfDay } from './ranges.ts'
import { circuitFields } from './reading.ts'
import type { SmallSum } from './smallSums.ts'
import type { Sum } from './sums.ts'

type AnySum = Sum | SmallSum
export const units = (thousandths: bigint | number) => Number(thousandths) / 1000
export const money = (billionths: bigint | number) => Number(billionths) / 1e9
export const ratio = (of: number | null, base: number | null | undefined) => (of === null || !base ? null : of / base)
const percent = (of: number | bigint, whole: number | bigint) => (100 * Number(of)) / Number(whole)

const shareOf = (of: bigint | number, all: number) => (Number(of) === all ? 100 : percent(of, all))
const sharesOf = ({ made }: AnySum): Shares | null => {
  let all = 0
  for (let at = 0; at < made.length; at++) all += Number(made[at])
  if (all === 0) return null
  return {
    Measured: shareOf(made[0]!, all),
    Interpolated: shareOf(made[1]!, all),
    Entered: shareOf(made[2]!, all),
    Corrected: shareOf(made[3]!, all),
    Missing: shareOf(made[4]!, all),
  }
}
export const energyOf = ({ known, energy }: AnySum) => (known ? units(energy) : null)
export const costOf = ({ known, isPriced, cost }: AnySum) => (known && isPriced ? money(cost) : null)

type Sees = { seesCost: boolean }
const unpricedOf = ({ known, unpriced }: AnySum) => (known ? units(unpriced) : null)
const knownOf = ({ known, count }: AnySum) => (count ? percent(known, count) : 0)
export const figureOf = (sum: AnySum, { seesCost }: Sees): Figure => {
  const figure: Figure = {
    Energy: energyOf(sum),
    Known: knownOf(sum),
    Shares: sharesOf(sum),
    OpenEvents: sum.open,
  }
  if (!seesCost) return figure
  figure.Cost = costOf(sum)
  figure.Unpriced = unpricedOf(sum)
  return figure
}

/** Levels that have energy. */
export const levelsOf = ({ levels, costs, energy, isPriced }: AnySum, { seesCost }: Sees): LevelFigure[] => {
  const found: LevelFigure[] = []
  for (let Level = 0; Level < levels.length; Level++) {
    const [of, cost] = [levels[Level]!, costs[Level]!]
    if (!of && !cost) continue
    const figure: LevelFigure = { Level, Energy: units(of), Share: energy > 0 ? percent(of, energy) : null }
    if (seesCost) figure.Cost = isPriced ? money(cost) : null
    found.push(figure)
  }
  return found
}

/** Of a base, less than this share of its time known makes no comparison. */
const leastKnown = 0.9
const isBase = (base: Sum | undefined): base is Sum => base !== undefined && base.count > 0 && base.known >= leastKnown * base.count
const change = (sum: Sum, base: Sum | undefined) =>
  sum.known && isBase(base) && base.energy > 0n ? percent(sum.energy - base.energy, base.energy) : null
export const comparedOf = (sum: Sum, lastYear: Sum | undefined, lastPeriod: Sum | undefined) => ({
  LastYear: lastYear ? energyOf(lastYear) : null,
  LastPeriod: lastPeriod ? energyOf(lastPeriod) : null,
  YoY: change(sum, lastYear),
  MoM: change(sum, lastPeriod),
})

export const partOf = (sum: AnySum, Start: number, End: number, { seesCost }: Sees): Part => {
  const [Energy, Known, Shares, Levels] = [energyOf(sum), knownOf(sum), sharesOf(sum), levelsOf(sum, { seesCost })]
  if (!seesCost) return { Energy, Known, Shares, OpenEvents: sum.open, Start, End, Levels }
  return { Energy, Known, Shares, OpenEvents: sum.open, Cost: costOf(sum), Unpriced: unpricedOf(sum), Start, End, Levels }
}
/** A circuit over a range, without its parts. `Peak` is a power: four times the highest quarter-hour. */
export const seriesOf = (circuit: Circuit, { from, to }: { from: number; to: number }, whole: Sum, sees: Sees) => ({
  ...circuitFields(circuit),
  ...figureOf(whole, sees),
  DateFrom: textOfDay(from),
  DateTo: textOfDay(to),
  Peak: whole.peakAt === null ? null : units(4n * whole.peak),
  PeakAt: whole.peakAt,
  Levels: levelsOf(whole, sees),
})
