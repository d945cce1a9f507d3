// Panes of a plot: one above the other, each a part of the height of one canvas, with one time axis and one cursor. Pure.
import type uPlot from 'uplot'
import type { ParaInfo } from '../../contract/telemetry.ts'

/** Part of the height that a scale fills, from below: 0 to 1. */
export type Pane = { low: number; high: number }
type MinMax = [number, number]

/** Left and right axis are enough for two units. */
const axes = 2
const whole: Pane = { low: 0, high: 1 }

export const scaleOf = (p: Pick<ParaInfo, 'ParaUnitName'>) => `y-${p.ParaUnitName}`
export const unitsOf = (points: readonly Pick<ParaInfo, 'ParaUnitName'>[]): string[] => [...new Set(points.map((p) => p.ParaUnitName))]

/** How many panes lie above each other. */
export const paneCount = (points: readonly Pick<ParaInfo, 'ParaUnitName'>[]): number => {
  const { length } = unitsOf(points)
  return length > axes ? length : 1
}

/** The pane of each of so many units. `title` is the part of the height above each pane that its title takes. */
export const panesOf = (units: number, title: number): Pane[] =>
  Array.from({ length: units }, (_, i) => (units > axes ? { low: 1 - (i + 1) / units, high: 1 - i / units - title } : whole))

/** The range of a scale whose values shall fill no more than its pane. */
export const stretched = ({ low, high }: Pane, [min, max]: MinMax): MinMax => {
  const full = (max - min) / (high - low)
  return [min - low * full, min + (1 - low) * full]
}

/** The values at the lower and upper end of a pane, of a scale that was stretched for it. */
export const endsOf = ({ low, high }: Pane, { min = 0, max = 1 }: uPlot.Scale): MinMax => [
  min + low * (max - min),
  min + high * (max - min),
]
