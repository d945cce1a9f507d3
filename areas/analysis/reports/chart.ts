// Charts of reports as shapes: the console draws them on a page, the server in a PDF. Colours are distinct in grey, too, by dashes.
import type { Part } from './blocks.ts'

type Chart = Extract<Part, { Is: 'chart' }>
export type Shape = { tag: 'line' | 'path' | 'rect' | 'text'; at: Record<string, string | number>; text?: string }
export type Look = {
  width: number
  height: number
  colours: readonly string[]
  text: string
  grid: string
  /** A moment below the axis. */
  time: (at: number, spanMs: number) => string
  number: (value: number) => string
}

const margin = { left: 56, right: 12, top: 8, bottom: 22 }
const legendRow = 14
const dashes = ['', '6 3', '2 2', '8 3 2 3', '1 3', '10 4']

/** Round steps of an axis. */
const ticksOf = (low: number, high: number, wanted: number) => {
  const rough = (high - low) / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? 10 * power
  const first = Math.ceil(low / step - 1e-9)
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

const spanOf = ({ Curves, Bars }: Chart) => {
  const values = Curves.flatMap((c) => c.Value.filter((v): v is number => v !== null))
  if (!values.length) return { low: 0, high: 1 }
  const low = values.reduce((a, b) => Math.min(a, b), Bars ? 0 : Number.POSITIVE_INFINITY)
  const high = values.reduce((a, b) => Math.max(a, b), Bars ? 0 : Number.NEGATIVE_INFINITY)
  const room = high === low ? Math.abs(high) || 1 : (high - low) * 0.05
  return { low: Bars && low === 0 ? 0 : low - room, high: high + room }
}

/** Wraps the legend: curve names share lines of limited width. */
const legendOf = (chart: Chart, { width, colours, text }: Look) => {
  const shapes: Shape[] = []
  let [x, y] = [margin.left, margin.top + 8]
  for (const [i, { Name, Unit }] of chart.Curves.entries()) {
    const label = Unit ? `${Name} (${Unit})` : Name
    const wide = [...label].reduce((sum, c) => sum + (c > '\u2e80' ? 9 : 5.2), 0) + 30
    if (x > margin.left && x + wide > width - margin.right) [x, y] = [margin.left, y + legendRow]
    const line = { x1: x, x2: x + 18, y1: y - 3, y2: y - 3, stroke: colours[i % colours.length]!, 'stroke-width': 2 }
    shapes.push({ tag: 'line', at: dashes[i] ? { ...line, 'stroke-dasharray': dashes[i] } : line })
    shapes.push({ tag: 'text', at: { x: x + 22, y, 'font-size': 9, fill: text }, text: label })
    x += wide
  }
  return { shapes, height: y + 6 }
}

const curveShapes = ({ Curves }: Chart, colours: readonly string[], x: (t: number) => number, y: (v: number) => number): Shape[] =>
  Curves.map(({ Time, Value }, i) => {
    let [d, pen] = ['', false]
    for (const [k, at] of Time.entries()) {
      const value = Value[k]
      if (value === null || value === undefined) pen = false
      else {
        d += `${pen ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`
        pen = true
      }
    }
    const line = { d: d || 'M0 0', fill: 'none', stroke: colours[i % colours.length]!, 'stroke-width': 1.3 }
    return { tag: 'path', at: dashes[i] ? { ...line, 'stroke-dasharray': dashes[i] } : line }
  })

const barShapes = (chart: Chart, colours: readonly string[], x: (t: number) => number, y: (v: number) => number): Shape[] => {
  const starts = [...new Set(chart.Curves.flatMap((c) => c.Time))].sort((a, b) => a - b)
  const room = starts.map((at, i) => x(starts[i + 1] ?? chart.End) - x(at))
  return chart.Curves.flatMap(({ Time, Value }, i) =>
    Time.flatMap((at, k): Shape[] => {
      const value = Value[k]
      if (value === null || value === undefined) return []
      const slot = Math.max(1, room[starts.indexOf(at)]! * 0.84)
      const width = slot / chart.Curves.length
      const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))]
      const left = x(at) + room[starts.indexOf(at)]! * 0.08 + i * width
      return [
        {
          tag: 'rect',
          at: {
            ...{ x: Number(left.toFixed(1)), y: Number(top.toFixed(1)), width: Number(Math.max(0.5, width - 0.5).toFixed(1)) },
            ...{ height: Number(Math.max(0.5, bottom - top).toFixed(1)), fill: colours[i % colours.length]! },
          },
        },
      ]
    }),
  )
}

export const paint = (chart: Chart, look: Look): Shape[] => {
  const { width, height, colours, text, grid } = look
  const legend = legendOf(chart, look)
  const [left, right, top, bottom] = [margin.left, width - margin.right, legend.height, height - margin.bottom]
  const { low, high } = spanOf(chart)
  const x = (at: number) => left + ((at - chart.Start) / (chart.End - chart.Start)) * (right - left)
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - top)
  const shapes = [...legend.shapes]
  for (const value of ticksOf(low, high, Math.max(2, Math.floor((bottom - top) / 36)))) {
    shapes.push({ tag: 'line', at: { x1: left, x2: right, y1: y(value), y2: y(value), stroke: grid, 'stroke-width': 0.6 } })
    const at = { x: left - 6, y: y(value) + 3, 'font-size': 9, fill: text, 'text-anchor': 'end' }
    shapes.push({ tag: 'text', at, text: look.number(value) })
  }
  const marks = Math.max(2, Math.floor((right - left) / 110))
  for (let i = 0; i <= marks; i++) {
    const at = chart.Start + ((chart.End - chart.Start) * i) / marks
    const anchor = i === 0 ? 'start' : i === marks ? 'end' : 'middle'
    const place = { x: x(at), y: bottom + 14, 'font-size': 9, fill: text, 'text-anchor': anchor }
    shapes.push({ tag: 'text', at: place, text: look.time(at, chart.End - chart.Start) })
  }
  shapes.push({ tag: 'line', at: { x1: left, x2: right, y1: bottom, y2: bottom, stroke: text, 'stroke-width': 0.8 } })
  return [...shapes, ...(chart.Bars ? barShapes(chart, colours, x, y) : curveShapes(chart, colours, x, y))]
}
