// Curves over equal periods with the band of what was expected. Pure.
import { areaOf, endsOf, namesBelow, rounded, scaleAt } from './axes.ts'
import type { Canvas, Shape } from './drawing.ts'

export type Curve = { name: string; values: readonly (number | null)[]; dash?: string }
type Banded = {
  labels: readonly string[]
  curves: readonly Curve[]
  band?: { low: readonly (number | null)[]; high: readonly (number | null)[] }
  titleOf: (i: number) => string
}

/** Runs of periods that are known. */
const runsOf = (known: (i: number) => boolean, length: number) => {
  const runs: number[][] = []
  for (let i = 0; i < length; i++)
    if (known(i)) {
      if (i && known(i - 1)) runs.at(-1)!.push(i)
      else runs.push([i])
    }
  return runs
}

export const paintBanded = ({ labels, curves, band, titleOf }: Banded, look: Canvas): Shape[] => {
  const { area, shapes } = areaOf(
    curves.map(({ name }) => name),
    look,
  )
  const all = [...curves.flatMap(({ values }) => values), ...(band ? [...band.low, ...band.high] : [])]
  const { y, shapes: scale } = scaleAt(area, endsOf(all, true), look)
  const slot = (area.right - area.left) / Math.max(1, labels.length)
  const at = (i: number, value: number) => `${rounded(area.left + (i + 0.5) * slot)} ${rounded(y(value))}`
  const colour = (i: number) => look.colours[i % look.colours.length]!
  const line = (values: Curve['values']) =>
    runsOf((i) => values[i] !== null, values.length)
      // A period alone is a short line.
      .map((run) => `M${run.map((i) => at(i, values[i]!)).join('L')}${run.length > 1 ? '' : 'h2'}`)
      .join('')
  const bandPath = band
    ? runsOf((i) => band.low[i] !== null && band.high[i] !== null, labels.length)
        .map((run) => `M${[...run.map((i) => at(i, band.high[i]!)), ...run.toReversed().map((i) => at(i, band.low[i]!))].join('L')}Z`)
        .join('')
    : ''
  return [
    ...shapes,
    ...scale,
    ...(bandPath ? [{ tag: 'path' as const, at: { d: bandPath, fill: colour(1), 'fill-opacity': 0.18 } }] : []),
    ...curves.map(
      ({ values, dash }, i): Shape => ({
        tag: 'path',
        at: {
          ...{ d: line(values) || 'M0 0', fill: 'none', stroke: colour(i), 'stroke-width': 1.6 },
          ...(dash ? { 'stroke-dasharray': dash } : {}),
        },
      }),
    ),
    ...namesBelow(area, labels, look),
    ...labels.map(
      (_, i): Shape => ({
        tag: 'rect',
        at: {
          ...{ x: rounded(area.left + i * slot), y: area.top, width: rounded(slot), height: rounded(area.bottom - area.top) },
          ...{ fill: look.text, 'fill-opacity': 0 },
        },
        title: titleOf(i),
      }),
    ),
  ]
}
