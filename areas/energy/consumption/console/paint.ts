// Drawings of energy: bars before the ghost of an earlier period, and a load curve with its demand line. Pure.
import { type Area, areaOf, endsOf, namesBelow, rounded, scaleAt } from '../../../analysis/reports/axes.ts'
import type { Canvas, Shape } from '../../../analysis/reports/drawing.ts'

type Values = readonly (number | null)[]
export type Ghosted = {
  labels: readonly string[]
  now: Values
  /** Of the earlier period, part by part. */
  before?: Values
  nameOf: (i: number, isBefore: boolean) => string
  unit: string
  names: readonly [now: string, before: string]
  /** Of each part, whether much of it is not known; such bars are pale. */
  pale?: readonly boolean[]
}

/** Bars of a period with those of an earlier one behind them. */
export const paintGhosted = ({ labels, now, before = [], nameOf, unit, names, pale }: Ghosted, look: Canvas): Shape[] => {
  const colours = [look.colours[0]!, look.grid]
  const { area, shapes } = areaOf(before.length ? names : [], { ...look, colours })
  const { y, shapes: scale } = scaleAt(area, endsOf([...now, ...before], true), look)
  const slot = (area.right - area.left) / Math.max(1, labels.length)
  const bar = (value: number | null | undefined, i: number, isBefore: boolean): Shape[] => {
    if (value === null || value === undefined) return []
    const [inset, part] = isBefore ? [0.06, 0.88] : [before.length ? 0.2 : 0.1, before.length ? 0.6 : 0.8]
    return [
      {
        tag: 'rect',
        at: {
          ...{ x: rounded(area.left + (i + inset) * slot), width: rounded(Math.max(1, slot * part)) },
          ...{ y: rounded(Math.min(y(0), y(value))), height: rounded(Math.max(0.5, Math.abs(y(value) - y(0)))) },
          ...{ fill: isBefore ? look.grid : look.colours[0]!, 'fill-opacity': !isBefore && pale?.[i] ? 0.45 : 1 },
        },
        title: `${nameOf(i, isBefore)} · ${look.number(value)} ${unit}`,
      },
    ]
  }
  const drawn = labels.flatMap((_, i) => [...bar(before[i], i, true), ...bar(now[i], i, false)])
  return [...shapes, ...scale, ...drawn, ...namesBelow(area, labels, look)]
}

export type Load = {
  /** Mean power of consecutive parts. */
  values: Values
  labels: readonly string[]
  unit: string
  titleOf: (i: number) => string
  /** The maximum: a horizontal line with a label. */
  peak?: { value: number; text: string } | undefined
}

/** One path a run of known values: gaps stay gaps. */
const pathOf = (values: Values, { left, right }: Area, y: (value: number) => number) => {
  const step = (right - left) / Math.max(1, values.length)
  let [d, isOn] = ['', false]
  for (const [i, value] of values.entries()) {
    if (value !== null) d += `${isOn ? 'L' : 'M'}${rounded(left + i * step)} ${rounded(y(value))}H${rounded(left + (i + 1) * step)}`
    isOn = value !== null
  }
  return d || 'M0 0'
}

/** Mean power over time, with the highest of it as a line. */
export const paintLoad = ({ values, labels, unit, titleOf, peak }: Load, look: Canvas): Shape[] => {
  const { area: whole } = areaOf([], look)
  const area = { ...whole, top: whole.top + 14 }
  const { y, shapes: scale } = scaleAt(area, endsOf([...values, peak?.value ?? null], true), look)
  const step = (area.right - area.left) / Math.max(1, values.length)
  // Something to point at for each part, wide enough to be met.
  const every = Math.max(1, Math.ceil(6 / step))
  const targets = values.flatMap((value, i): Shape[] =>
    i % every || value === null
      ? []
      : [
          {
            tag: 'rect',
            at: {
              ...{ x: rounded(area.left + i * step), y: area.top, width: rounded(step * every), height: rounded(area.bottom - area.top) },
              ...{ fill: look.text, 'fill-opacity': 0 },
            },
            title: `${titleOf(i)} · ${look.number(value)} ${unit}`,
          },
        ],
  )
  const stroke = look.colours[4] ?? look.text
  const line: Shape[] = peak
    ? [
        {
          tag: 'line',
          at: { x1: area.left, x2: area.right, y1: rounded(y(peak.value)), y2: rounded(y(peak.value)), stroke, 'stroke-dasharray': '6 3' },
        },
        { tag: 'text', at: { x: area.left + 4, y: rounded(y(peak.value) - 5), 'font-size': 11, fill: stroke }, text: peak.text },
      ]
    : []
  return [
    ...scale,
    { tag: 'path', at: { d: pathOf(values, area, y), fill: 'none', stroke: look.colours[0]!, 'stroke-width': 1.4 } },
    ...line,
    ...namesBelow(area, labels, look),
    ...targets,
  ]
}
