// Panes below each other over one time: what was used, and the dose in its limits beside flow, turbidity and residual. Pure.
import { type Area, endsOf, namesBelow, rounded, scaleAt } from '../../../analysis/reports/axes.ts'
import { type Canvas, margin, type Shape } from '../../../analysis/reports/drawing.ts'

type Values = readonly (number | null)[]
export type Pane = {
  name: string
  unit: string
  values: Values
  isBars?: boolean
  /** Dose limits as a band, and the target dose. */
  band?: { low: number | null; high: number | null; target: number | null }
}

const title = 16
export const paneHeight = 116
export const heightOf = (panes: number) => panes * paneHeight + margin.bottom

const bars = ({ values, unit }: Pane, area: Area, y: (value: number) => number, labels: readonly string[], look: Canvas): Shape[] => {
  const slot = (area.right - area.left) / Math.max(1, values.length)
  return values.flatMap((value, i): Shape[] =>
    value === null
      ? []
      : [
          {
            tag: 'rect',
            at: {
              ...{ x: rounded(area.left + (i + 0.1) * slot), width: rounded(Math.max(1, slot * 0.8)) },
              ...{ y: rounded(y(value)), height: rounded(Math.max(0.5, y(0) - y(value))), fill: look.colours[0]! },
            },
            title: `${labels[i]} · ${look.number(value)} ${unit}`,
          },
        ],
  )
}

/** A line through the middles of parts: gaps stay gaps, and a part alone is a dot. */
const curve = ({ values, unit }: Pane, area: Area, y: (value: number) => number, labels: readonly string[], look: Canvas): Shape[] => {
  const slot = (area.right - area.left) / Math.max(1, values.length)
  const x = (i: number) => rounded(area.left + (i + 0.5) * slot)
  let [d, isOn] = ['', false]
  for (const [i, value] of values.entries()) {
    if (value !== null) d += `${isOn ? 'L' : 'M'}${x(i)} ${rounded(y(value))}`
    isOn = value !== null
  }
  const dots = values.flatMap((value, i): Shape[] =>
    value === null
      ? []
      : [
          {
            tag: 'circle',
            at: { cx: x(i), cy: rounded(y(value)), r: values.length > 60 ? 1 : 2.5, fill: look.colours[1] ?? look.text },
            title: `${labels[i]} · ${look.number(value)} ${unit}`,
          },
        ],
  )
  return [
    ...(d ? [{ tag: 'path' as const, at: { d, fill: 'none', stroke: look.colours[1] ?? look.text, 'stroke-width': 1.4 } }] : []),
    ...dots,
  ]
}

const limits = ({ band }: Pane, { left, right, top, bottom }: Area, y: (value: number) => number, look: Canvas): Shape[] => {
  if (!band) return []
  const within = (value: number) => Math.min(bottom, Math.max(top, y(value)))
  const { low, high, target } = band
  const [from, to] = [high === null ? top : within(high), low === null ? bottom : within(low)]
  return [
    ...(low !== null || high !== null
      ? [
          {
            tag: 'rect' as const,
            at: {
              x: left,
              width: right - left,
              y: rounded(from),
              height: rounded(Math.max(0, to - from)),
              fill: look.colours[2] ?? look.grid,
              'fill-opacity': 0.15,
            },
          },
        ]
      : []),
    ...(target !== null
      ? [
          {
            tag: 'line' as const,
            at: {
              x1: left,
              x2: right,
              y1: rounded(within(target)),
              y2: rounded(within(target)),
              stroke: look.colours[2] ?? look.text,
              'stroke-dasharray': '6 3',
            },
          },
        ]
      : []),
  ]
}

export const paintPanes = (panes: readonly Pane[], labels: readonly string[], look: Canvas): Shape[] =>
  panes.flatMap((pane, i): Shape[] => {
    const top = i * paneHeight
    const area = { left: margin.left, right: look.width - margin.right, top: top + title + 6, bottom: top + paneHeight - 8 }
    const { low = null, high = null, target = null } = pane.band ?? {}
    const { y, shapes } = scaleAt(area, endsOf([...pane.values, low, high, target], true), look)
    const name: Shape = {
      tag: 'text',
      at: { x: margin.left, y: top + title - 2, 'font-size': 11, fill: look.text },
      text: `${pane.name}, ${pane.unit}`,
    }
    const drawn = pane.isBars ? bars(pane, area, y, labels, look) : curve(pane, area, y, labels, look)
    return [...shapes, ...limits(pane, area, y, look), ...drawn, name, ...(i === panes.length - 1 ? namesBelow(area, labels, look) : [])]
  })
