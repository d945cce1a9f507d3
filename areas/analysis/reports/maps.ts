import { rounded } from './axes.ts'
import { type Canvas, type Shape, widthOf } from './drawing.ts'

export type Cell = { value: number | null; title: string }
export type Grid = { rows: readonly string[]; columns: readonly string[]; cells: readonly (readonly Cell[])[] }

/** Cells darker the higher their value; an empty one has no value. */
export const paintGrid = ({ rows, columns, cells }: Grid, look: Canvas & { surface: string }): Shape[] => {
  const left = Math.min(160, Math.max(30, ...rows.map((name) => widthOf(name) * 1.15)) + 10)
  const [top, bottom, right] = [6, 22, 8]
  const width = (look.width - left - right) / Math.max(1, columns.length)
  const height = (look.height - top - bottom) / Math.max(1, rows.length)
  const known = cells.flat().flatMap(({ value }) => (value === null ? [] : [value]))
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const share = (value: number) => (high > low ? (value - low) / (high - low) : 0.5)
  const every = Math.max(1, Math.ceil(Math.max(...columns.map((name) => widthOf(name) * 1.2 + 6), 1) / width))
  return [
    ...rows.map(
      (text, r): Shape => ({
        tag: 'text',
        at: { x: left - 6, y: rounded(top + (r + 0.5) * height + 3.5), 'font-size': 10, fill: look.text, 'text-anchor': 'end' },
        text,
      }),
    ),
    ...columns.flatMap((text, c): Shape[] =>
      c % every
        ? []
        : [
            {
              tag: 'text',
              at: { x: rounded(left + (c + 0.5) * width), y: look.height - 8, 'font-size': 10, fill: look.text, 'text-anchor': 'middle' },
              text,
            },
          ],
    ),
    ...cells.flatMap((row, r) =>
      row.map(({ value, title }, c): Shape => {
        const place = { x: rounded(left + c * width + 0.5), y: rounded(top + r * height + 0.5) }
        const size = { width: rounded(Math.max(1, width - 1)), height: rounded(Math.max(1, height - 1)) }
        const filled: Shape['at'] =
          value === null
            ? { fill: 'none', stroke: look.grid, 'stroke-width': 0.5 }
            : { fill: look.colours[0]!, 'fill-opacity': Number((0.08 + 0.92 * share(value)).toFixed(2)) }
        return { tag: 'rect', at: { ...place, ...size, ...filled }, title }
      }),
    ),
  ]
}

export type Slice = { name: string; value: number; title: string }

/** Where a pie and its names are: beside each other, or where that is too narrow, below. */
const pieLayout = (names: readonly string[], { width, height }: Canvas) => {
  const radius = Math.min(height / 2 - 8, width / 4)
  const widest = Math.max(...names.map((name) => widthOf(name) * 1.25))
  if (2 * radius + 53 + widest <= width) {
    const top = height / 2 - (names.length * 18) / 2 + 12
    return { radius, cx: radius + 12, cy: height / 2, x: 2 * radius + 36, top, most: names.length }
  }
  const most = Math.min(names.length, Math.floor((height - 80) / 18))
  const small = Math.min((height - most * 18) / 2 - 8, width / 4)
  return { radius: small, cx: width / 2, cy: small + 6, x: 4, top: 2 * small + 26, most }
}

/** Parts of a whole, from noon on clockwise, with their names. */
export const paintPie = (slices: readonly Slice[], look: Canvas & { surface: string }): Shape[] => {
  const all = slices.reduce((sum, { value }) => sum + value, 0)
  const names = slices.map(({ name, value }) => `${name} · ${look.number(all ? (100 * value) / all : 0)} %`)
  const { radius, cx, cy, x, top, most } = pieLayout(names, look)
  const at = (turn: number) =>
    [cx + radius * Math.sin(2 * Math.PI * turn), cy - radius * Math.cos(2 * Math.PI * turn)].map(rounded).join(' ')
  let turn = 0
  return slices.flatMap(({ value, title }, i): Shape[] => {
    const share = all ? value / all : 0
    const [from, to] = [turn, turn + share]
    turn = to
    const fill = look.colours[i % look.colours.length]!
    const stroke = { stroke: look.surface, 'stroke-width': 1.5 }
    const wedge = `M${rounded(cx)} ${rounded(cy)}L${at(from)}A${rounded(radius)} ${rounded(radius)} 0 ${share > 0.5 ? 1 : 0} 1 ${at(to)}Z`
    const piece: Shape =
      share > 0.9999
        ? { tag: 'circle', at: { cx: rounded(cx), cy: rounded(cy), r: rounded(radius), fill, ...stroke }, title }
        : { tag: 'path', at: { d: wedge, fill, ...stroke }, title }
    const y = rounded(top + i * 18)
    return [
      ...(share > 0 ? [piece] : []),
      ...(i < most
        ? ([
            { tag: 'rect', at: { x: rounded(x), y: rounded(y - 9), width: 11, height: 11, fill } },
            { tag: 'text', at: { x: rounded(x + 17), y, 'font-size': 11, fill: look.text }, text: names[i]! },
          ] satisfies Shape[])
        : []),
    ]
  })
}
