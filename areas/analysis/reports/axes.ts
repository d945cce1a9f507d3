// The frame of a chart: room for names, a scale at the left, and what lies below the axis.
import { type Canvas, legendOf, margin, type Shape, ticksOf, widthOf } from './drawing.ts'

export type Area = { left: number; right: number; top: number; bottom: number }

/** Rounded axis limits that include these values; bar charts start at zero. */
export const endsOf = (values: readonly (number | null)[], fromZero: boolean) => {
  const known = values.filter((v): v is number => v !== null)
  const low = known.reduce((a, b) => Math.min(a, b), fromZero ? 0 : Number.POSITIVE_INFINITY)
  const high = known.reduce((a, b) => Math.max(a, b), fromZero ? 0 : Number.NEGATIVE_INFINITY)
  if (!known.length) return { low: 0, high: 1 }
  const room = high === low ? Math.abs(high) || 1 : (high - low) * 0.05
  return { low: fromZero && low === 0 ? 0 : low - room, high: fromZero && high === 0 && low < 0 ? 0 : high + room }
}

export const areaOf = (names: readonly string[], look: Canvas, below = margin.bottom): { area: Area; shapes: Shape[] } => {
  const legend = names.length > 1 ? legendOf(names, look, true) : { shapes: [], height: margin.top + 4 }
  const area = { left: margin.left, right: look.width - margin.right, top: legend.height + 4, bottom: look.height - below }
  return { area, shapes: legend.shapes }
}

/** Lines across, each with its value at the left. `whole`: of counts, which have no parts. */
export const scaleAt = ({ left, right, top, bottom }: Area, { low, high }: { low: number; high: number }, look: Canvas, whole = false) => {
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - top)
  const ticks = ticksOf(low, high, Math.max(2, Math.floor((bottom - top) / 36)))
  const shapes = (whole ? ticks.filter(Number.isInteger) : ticks).flatMap((value): Shape[] => [
    { tag: 'line', at: { x1: left, x2: right, y1: y(value), y2: y(value), stroke: look.grid, 'stroke-width': 0.6 } },
    {
      tag: 'text',
      at: { x: left - 6, y: y(value) + 3, 'font-size': 10, fill: look.text, 'text-anchor': 'end' },
      text: look.number(value),
    },
  ])
  return { y, shapes }
}

/** The line at the bottom with as many names below it as there is room for. */
export const namesBelow = ({ left, right, bottom }: Area, names: readonly string[], look: Canvas): Shape[] => {
  const slot = (right - left) / Math.max(1, names.length)
  const widest = names.reduce((most, name) => Math.max(most, widthOf(name) * 1.1), 1)
  const every = Math.max(1, Math.ceil((widest + 8) / slot))
  const shapes: Shape[] = [{ tag: 'line', at: { x1: left, x2: right, y1: bottom, y2: bottom, stroke: look.text, 'stroke-width': 0.8 } }]
  for (const [i, text] of names.entries()) {
    if (i % every) continue
    const half = (widthOf(text) * 1.1) / 2
    const x = Math.min(look.width - half, Math.max(half, left + (i + 0.5) * slot))
    shapes.push({ tag: 'text', at: { x, y: bottom + 14, 'font-size': 10, fill: look.text, 'text-anchor': 'middle' }, text })
  }
  return shapes
}

/** The line at the bottom with numbers below it. */
export const numbersBelow = ({ left, right, bottom }: Area, low: number, high: number, look: Canvas) => {
  const x = (value: number) => left + ((value - low) / (high - low)) * (right - left)
  const shapes: Shape[] = [{ tag: 'line', at: { x1: left, x2: right, y1: bottom, y2: bottom, stroke: look.text, 'stroke-width': 0.8 } }]
  for (const value of ticksOf(low, high, Math.max(2, Math.floor((right - left) / 70))))
    shapes.push({
      tag: 'text',
      at: {
        x: Math.min(look.width - (widthOf(look.number(value)) * 1.2) / 2, x(value)),
        y: bottom + 14,
        'font-size': 10,
        fill: look.text,
        'text-anchor': 'middle',
      },
      text: look.number(value),
    })
  return { x, shapes }
}

export const rounded = (value: number) => Number(value.toFixed(1))
