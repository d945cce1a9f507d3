// Charts of reports as shapes: the console draws them on a page, the server in a PDF. Colours are distinct in grey, too, by dashes.
import type { Part } from './blocks.ts'
import { type Canvas, dashes, legendOf, margin, type Shape, ticksOf } from './drawing.ts'

type Chart = Extract<Part, { Is: 'chart' }>

export type { Shape }
export type Look = Canvas & {
  /** A moment below the axis. */
  time: (at: number, spanMs: number) => string
}

/** Whether a chart has no data. Empty axes would read as zero. */
export const isWithoutReadings = ({ Curves }: Pick<Chart, 'Curves'>) => Curves.every(({ Value }) => Value.every((v) => v === null))
/** Names of points without readings, if there are only a few. */
export const namesOf = ({ Curves }: Pick<Chart, 'Curves'>) => (Curves.length > 5 ? '' : `${Curves.map(({ Name }) => Name).join(', ')}: `)

const spanOf = ({ Curves, Bars }: Chart) => {
  const values = Curves.flatMap((c) => c.Value.filter((v): v is number => v !== null))
  if (!values.length) return { low: 0, high: 1 }
  const low = values.reduce((a, b) => Math.min(a, b), Bars ? 0 : Number.POSITIVE_INFINITY)
  const high = values.reduce((a, b) => Math.max(a, b), Bars ? 0 : Number.NEGATIVE_INFINITY)
  const room = high === low ? Math.abs(high) || 1 : (high - low) * 0.05
  return { low: Bars && low === 0 ? 0 : low - room, high: high + room }
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
  const names = chart.Curves.map(({ Name, Unit }) => (Unit ? `${Name} (${Unit})` : Name))
  const legend = legendOf(names, look)
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
