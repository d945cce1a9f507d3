import { type Area, areaOf, endsOf, namesBelow, rounded, scaleAt } from './axes.ts'
import type { Canvas, Shape } from './drawing.ts'

export type Bars = {
  names: readonly string[]
  labels: readonly string[]
  values: readonly (readonly (number | null)[])[]
  unit: string
  /** Counts, which have no parts. */
  whole?: boolean
  /** Of each label, whether its time is cut or not over; such bars are pale. */
  partial?: readonly boolean[]
}

type Drawn = { x: number; width: number; from: number; to: number; fill: string; title: string; pale: boolean | undefined }
const bar = ({ x, width, from, to, fill, title, pale = false }: Drawn): Shape => ({
  tag: 'rect',
  at: {
    ...{ x: rounded(x), width: rounded(Math.max(1, width)), y: rounded(Math.min(from, to)) },
    ...{ height: rounded(Math.max(0.5, Math.abs(to - from))), fill, 'fill-opacity': pale ? 0.45 : 1 },
  },
  title,
})
const titleOf = ({ names, labels, unit }: Bars, look: Canvas, s: number, i: number, value: number) =>
  [labels[i], names.length > 1 && names[s], `${look.number(value)} ${unit}`.trim()].filter(Boolean).join(' · ')

/** Bars side by side. */
export const paintBars = (bars: Bars, look: Canvas): Shape[] => {
  const { area, shapes } = areaOf(bars.names, look)
  const { y, shapes: scale } = scaleAt(area, endsOf(bars.values.flat(), true), look, bars.whole)
  const slot = (area.right - area.left) / Math.max(1, bars.labels.length)
  const width = (slot * 0.84) / bars.names.length
  const drawn = bars.values.flatMap((values, s) =>
    values.flatMap((value, i) => {
      const x = area.left + i * slot + slot * 0.08 + s * width
      const fill = look.colours[s % look.colours.length]!
      return value === null
        ? []
        : [bar({ x, width: width - 0.5, from: y(0), to: y(value), fill, title: titleOf(bars, look, s, i, value), pale: bars.partial?.[i] })]
    }),
  )
  return [...shapes, ...scale, ...drawn, ...namesBelow(area, bars.labels, look)]
}

/** Bars on top of each other: what is above zero upwards, what is below it downwards. */
export const paintStacked = (bars: Bars, look: Canvas): Shape[] => {
  const { area, shapes } = areaOf(bars.names, look)
  const stacks = bars.labels.map(() => ({ up: 0, down: 0 }))
  const pieces = bars.values.flatMap((values, s) =>
    values.flatMap((value, i) => {
      if (value === null) return []
      const side = value < 0 ? 'down' : 'up'
      const from = stacks[i]![side]
      stacks[i]![side] += value
      return [{ s, i, value, from, to: from + value }]
    }),
  )
  const { y, shapes: scale } = scaleAt(
    area,
    endsOf(
      stacks.flatMap(({ up, down }) => [up, down]),
      true,
    ),
    look,
  )
  const slot = (area.right - area.left) / Math.max(1, bars.labels.length)
  const drawn = pieces.map(({ s, i, value, from, to }) => {
    const x = area.left + i * slot + slot * 0.08
    const fill = look.colours[s % look.colours.length]!
    return bar({ x, width: slot * 0.84, from: y(from), to: y(to), fill, title: titleOf(bars, look, s, i, value), pale: bars.partial?.[i] })
  })
  return [...shapes, ...scale, ...drawn, ...namesBelow(area, bars.labels, look)]
}

const right = 40
/** The largest first, with a line of what they come to together, in percent of all. */
export const paintPareto = (bars: Bars, look: Canvas): Shape[] => {
  const values = bars.values[0]!.map((value) => value ?? 0)
  const all = values.reduce((a, b) => a + b, 0)
  const narrow = { ...look, width: look.width - right }
  const { area } = areaOf(['one'], narrow)
  const shapes = paintBars({ ...bars, names: ['one'], values: [values] }, narrow)
  const slot = (area.right - area.left) / Math.max(1, values.length)
  const y = (share: number) => area.bottom - share * (area.bottom - area.top)
  let sum = 0
  const line = values.map((value, i) => {
    sum += value
    return { x: area.left + (i + 0.5) * slot, share: all ? sum / all : 0 }
  })
  const stroke = look.colours[1]!
  shapes.push({
    tag: 'path',
    at: {
      d: line.map(({ x, share }, i) => `${i ? 'L' : 'M'}${rounded(x)} ${rounded(y(share))}`).join(''),
      fill: 'none',
      stroke,
      'stroke-width': 1.6,
    },
  })
  for (const { x, share } of line)
    shapes.push({
      tag: 'circle',
      at: { cx: rounded(x), cy: rounded(y(share)), r: 2.5, fill: stroke },
      title: `${look.number(100 * share)} %`,
    })
  for (const share of [0, 0.5, 0.8, 1])
    shapes.push({ tag: 'text', at: { x: area.right + 6, y: y(share) + 3, 'font-size': 10, fill: stroke }, text: `${100 * share} %` })
  return shapes
}

/** Five figures of a spread: the ends, the quarters and the middle. */
export type Box = { low: number; quarter: number; middle: number; threeQuarters: number; high: number }
export type Boxes = { names: readonly string[]; labels: readonly string[]; boxes: readonly (readonly (Box | null)[])[]; unit: string }

/** How values spread in each part: the box holds the middle half, the line in it is the median, the whiskers end at minimum and maximum. */
export const paintBoxes = ({ names, labels, boxes, unit }: Boxes, look: Canvas): Shape[] => {
  const { area, shapes } = areaOf(names, look)
  const ends = endsOf(
    boxes.flat().flatMap((box) => (box ? [box.low, box.high] : [])),
    false,
  )
  const { y, shapes: scale } = scaleAt(area, ends, look)
  const slot = (area.right - area.left) / Math.max(1, labels.length)
  const width = Math.min(60, (slot * 0.8) / names.length)
  const drawn = boxes.flatMap((of, s) =>
    of.flatMap((box, i): Shape[] => {
      if (!box) return []
      const x = area.left + (i + 0.5) * slot + (s - names.length / 2) * width
      const stroke = look.colours[s % look.colours.length]!
      return boxAt({
        box,
        x,
        width: Math.max(3, width - 3),
        y,
        stroke,
        title: boxTitle(box, [labels[i]!, ...(names.length > 1 ? [names[s]!] : [])], unit, look),
      })
    }),
  )
  return [...shapes, ...scale, ...drawn, ...namesBelow(area, labels, look)]
}

const boxTitle = ({ low, quarter, middle, threeQuarters, high }: Box, of: readonly string[], unit: string, look: Canvas) =>
  [...of, `${[low, quarter, middle, threeQuarters, high].map(look.number).join(' / ')} ${unit}`.trim()].join(' · ')

type BoxAt = { box: Box; x: number; width: number; y: (value: number) => number; stroke: string; title: string }
const boxAt = ({ box, x, width, y, stroke, title }: BoxAt): Shape[] => {
  const centre = rounded(x + width / 2)
  const line = (from: number, to: number): Shape => ({
    tag: 'line',
    at: { x1: centre, x2: centre, y1: rounded(y(from)), y2: rounded(y(to)), stroke, 'stroke-width': 1.2 },
  })
  const across = (at: number, thick: number): Shape => ({
    tag: 'line',
    at: { x1: rounded(x), x2: rounded(x + width), y1: rounded(y(at)), y2: rounded(y(at)), stroke, 'stroke-width': thick },
  })
  const [top, bottom] = [y(box.threeQuarters), y(box.quarter)]
  return [
    line(box.low, box.quarter),
    line(box.threeQuarters, box.high),
    {
      tag: 'rect',
      at: {
        ...{ x: rounded(x), y: rounded(top), width: rounded(width), height: rounded(Math.max(1, bottom - top)) },
        ...{ fill: stroke, 'fill-opacity': 0.25, stroke, 'stroke-width': 1.2 },
      },
      title,
    },
    across(box.middle, 2.2),
  ]
}

export type { Area }
