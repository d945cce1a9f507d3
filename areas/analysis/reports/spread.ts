import { areaOf, endsOf, numbersBelow, rounded, scaleAt } from './axes.ts'
import type { Spread as PartSpread } from './blocks.ts'
import type { Canvas, Shape } from './drawing.ts'

export type Spread = { name: string; unit: string; low: number; width: number; shares: readonly number[] }

/** For how much of the time values lay in each step of the scale, percent. One point. */
export const paintHistogram = ({ low, width, shares, unit }: Spread, look: Canvas): Shape[] => {
  const { area, shapes } = areaOf([], look)
  const values = shares.map((share) => 100 * share)
  const { y, shapes: scale } = scaleAt(area, endsOf(values, true), look)
  const { x, shapes: below } = numbersBelow(area, low, low + width * shares.length, look)
  const drawn = values.map((value, i): Shape => {
    const [from, to] = [low + i * width, low + (i + 1) * width]
    return {
      tag: 'rect',
      at: {
        ...{ x: rounded(x(from) + 0.5), width: rounded(Math.max(1, x(to) - x(from) - 1)) },
        ...{ y: rounded(y(value)), height: rounded(Math.max(0, area.bottom - y(value))), fill: look.colours[0]! },
      },
      title: `${look.number(from)} – ${look.number(to)} ${unit} · ${look.number(value)} %`,
    }
  })
  return [...shapes, ...scale, ...drawn, ...below]
}

/** The histogram of a report. */
export const paintSpread = ({ Name: name, Unit: unit, Low: low, Width: width, Shares: shares }: PartSpread, look: Canvas) =>
  paintHistogram({ name, unit, low, width, shares }, look)

export type Curve = { name: string; unit: string; x: readonly number[]; y: readonly number[] }

/** Values from the highest to the lowest over the share of the time for which each was reached. */
export const paintCurves = (curves: readonly Curve[], look: Canvas): Shape[] => {
  const { area, shapes } = areaOf(
    curves.map((c) => c.name),
    look,
  )
  const { y, shapes: scale } = scaleAt(
    area,
    endsOf(
      curves.flatMap((c) => c.y),
      false,
    ),
    look,
  )
  const { x, shapes: below } = numbersBelow(area, 0, 100, look)
  const drawn = curves.map((curve, s): Shape => {
    const d = curve.x.map((at, i) => `${i ? 'L' : 'M'}${rounded(x(at))} ${rounded(y(curve.y[i]!))}`).join('')
    return { tag: 'path', at: { d: d || 'M0 0', fill: 'none', stroke: look.colours[s % look.colours.length]!, 'stroke-width': 1.6 } }
  })
  return [...shapes, ...scale, ...drawn, ...below]
}

export type Dot = { x: number; y: number /** 0 the oldest to 1 the newest. */; age: number; title: string }
export type Scatter = {
  dots: readonly Dot[]
  xTitle: string
  yTitle: string /** The line of the regression. */
  line?: { slope: number; offset: number }
}

/** Dots of two points at the same time, the newest darkest. */
export const paintScatter = ({ dots, xTitle, yTitle, line }: Scatter, look: Canvas): Shape[] => {
  const { area } = areaOf([], look, 38)
  const [xs, ys] = [dots.map((d) => d.x), dots.map((d) => d.y)]
  const xEnds = endsOf(xs, false)
  const yEnds = endsOf(ys, false)
  const top = area.top + 14
  const { y, shapes: scale } = scaleAt({ ...area, top }, yEnds, look)
  const { x, shapes: below } = numbersBelow(area, xEnds.low, xEnds.high, look)
  const drawn = dots.map(
    (dot): Shape => ({
      tag: 'circle',
      at: { cx: rounded(x(dot.x)), cy: rounded(y(dot.y)), r: 2.5, fill: look.colours[0]!, 'fill-opacity': rounded(0.2 + 0.7 * dot.age) },
      title: dot.title,
    }),
  )
  const write = (text: string, at: Shape['at']): Shape => ({ tag: 'text', at: { 'font-size': 11, fill: look.text, ...at }, text })
  const ends = line && [xEnds.low, xEnds.high].map((at) => ({ x: at, y: line.offset + line.slope * at }))
  return [
    ...scale,
    ...below,
    ...drawn,
    ...(ends ? [segmentWithin(ends, yEnds, x, y, look.colours[1]!)] : []),
    write(yTitle, { x: area.left, y: area.top + 4 }),
    write(xTitle, { x: area.right, y: look.height - 6, 'text-anchor': 'end' }),
  ]
}

type Place = { x: number; y: number }
/** A line from one end of the plot to the other, as far as it lies inside. */
const segmentWithin = (
  ends: Place[],
  { low, high }: { low: number; high: number },
  x: (v: number) => number,
  y: (v: number) => number,
  stroke: string,
): Shape => {
  const [a, b] = ends as [Place, Place]
  const cut = (p: Place, q: Place): Place => {
    const limit = p.y < low ? low : p.y > high ? high : undefined
    return limit === undefined || q.y === p.y ? p : { x: p.x + ((limit - p.y) / (q.y - p.y)) * (q.x - p.x), y: limit }
  }
  const [from, to] = [cut(a, b), cut(b, a)]
  return {
    tag: 'line',
    at: { x1: rounded(x(from.x)), y1: rounded(y(from.y)), x2: rounded(x(to.x)), y2: rounded(y(to.y)), stroke, 'stroke-width': 1.6 },
  }
}
