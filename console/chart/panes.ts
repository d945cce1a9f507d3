// Panes of a plot: stacked on one canvas, with a common time axis and cursor. Pure.
import type uPlot from 'uplot'
import type { ParaInfo } from '../../contract/telemetry.ts'

/** Share of the height that a scale fills, from the bottom: 0 to 1. */
export type Pane = { low: number; high: number }
type MinMax = [number, number]

/** Two axes, left and right, are sufficient for two units. */
const axes = 2
const whole: Pane = { low: 0, high: 1 }

export const scaleOf = (p: Pick<ParaInfo, 'ParaUnitName'>) => `y-${p.ParaUnitName}`
export const unitsOf = (points: readonly Pick<ParaInfo, 'ParaUnitName'>[]): string[] => [...new Set(points.map((p) => p.ParaUnitName))]

/** Number of stacked panes. */
export const paneCount = (points: readonly Pick<ParaInfo, 'ParaUnitName'>[]): number => {
  const { length } = unitsOf(points)
  return length > axes ? length : 1
}

/** Positions of the panes. `title`: share of the height for the title above each pane. */
export const panesOf = (units: number, title: number): Pane[] =>
  Array.from({ length: units }, (_, i) => (units > axes ? { low: 1 - (i + 1) / units, high: 1 - i / units - title } : whole))

/** Extends the range of a scale, so that its values fill only its pane. */
export const stretched = ({ low, high }: Pane, [min, max]: MinMax): MinMax => {
  const full = (max - min) / (high - low)
  return [min - low * full, min + (1 - low) * full]
}

/** Values at the lower and upper end of a pane, for a scale extended for it. */
export const endsOf = ({ low, high }: Pane, { min = 0, max = 1 }: uPlot.Scale): MinMax => [
  min + low * (max - min),
  min + high * (max - min),
]
