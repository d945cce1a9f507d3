// Figures as they leave: exact sums become numbers here, and money is left out for people without the right to see it.
import type { Figure, LevelFigure, Part, Shares } from '../contract.ts'
import type { Circuit } from './circuits.ts'
import { textOfDay } from './ranges.ts'
import { circuitFields } from './reading.ts'
import type { Sum } from './sums.ts'
import { added } from './usage.ts'

export const units = (thousandths: bigint) => Number(thousandths) / 1000
export const money = (billionths: bigint) => Number(billionths) / 1e9
export const ratio = (of: number | null, base: number | null | undefined) => (of === null || !base ? null : of / base)
const percent = (of: number | bigint, whole: number | bigint) => (100 * Number(of)) / Number(whole)

const sharesOf = ({ made }: Sum): Shares | null => {
  let all = 0n
  for (const one of made) if (one !== 0n) all += one
  if (all === 0n) return null
  const of = (at: number) => (made[at] === 0n ? 0 : made[at] === all ? 100 : percent(made[at]!, all))
  return { Measured: of(0), Interpolated: of(1), Entered: of(2), Corrected: of(3), Missing: of(4) }
}
export const energyOf = ({ known, energy }: Sum) => (known ? units(energy) : null)
export const costOf = ({ known, isPriced, cost }: Sum) => (known && isPriced ? money(cost) : null)

type Sees = { seesCost: boolean }
export const figureOf = (sum: Sum, { seesCost }: Sees): Figure => ({
  Energy: energyOf(sum),
  Known: sum.count ? percent(sum.known, sum.count) : 0,
  Shares: sharesOf(sum),
  OpenEvents: sum.open,
  ...(seesCost ? { Cost: costOf(sum), Unpriced: sum.known ? units(sum.unpriced) : null } : {}),
})

/** Levels that have energy. */
export const levelsOf = ({ levels, costs, energy, isPriced }: Sum, { seesCost }: Sees): LevelFigure[] =>
  levels.flatMap((of, Level) =>
    of || costs[Level]
      ? [
          {
            Level,
            Energy: units(of),
            Share: energy > 0n ? percent(of, energy) : null,
            ...(seesCost ? { Cost: isPriced ? money(costs[Level]!) : null } : {}),
          },
        ]
      : [],
  )

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

type Sides = { start: number; end: number }
export const partOf = (sum: Sum, { start, end }: Sides, sees: Sees): Part => ({
  ...figureOf(sum, sees),
  Start: start,
  End: end,
  Levels: levelsOf(sum, sees),
})
/** A circuit over a range, part by part. `Peak` is a power: four times the highest quarter-hour. */
export const seriesOf = (
  circuit: Circuit,
  { from, to }: { from: number; to: number },
  parts: readonly (Sides & { sum: Sum })[],
  sees: Sees,
) => {
  const whole = added(parts.map(({ sum }) => sum))
  return {
    ...circuitFields(circuit),
    ...figureOf(whole, sees),
    DateFrom: textOfDay(from),
    DateTo: textOfDay(to),
    Peak: whole.peakAt === null ? null : units(4n * whole.peak),
    PeakAt: whole.peakAt,
    Levels: levelsOf(whole, sees),
    Parts: parts.map(({ sum, ...sides }) => partOf(sum, sides, sees)),
  }
}
