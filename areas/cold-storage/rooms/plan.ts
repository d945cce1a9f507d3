// The points of a room on its plan, in the colours of their temperatures: blue is the coldest, red the warmest.
import { el, round, type Tree } from '../../../contract/picture/tree.ts'

export type PlanPoint = { Name: string; X: number; Y: number; Value: number | null; Text: string; Marked?: boolean }
export const planSize = { width: 515, height: 300 }
const [left, top, most] = [80, 46, { width: 355, height: 200 }]
/** Margin between the outermost points and the wall. */
const margin = { x: 60, y: 36 }

/** From blue over grey to red. */
export const colourOf = (value: number | null, low: number, high: number): string => {
  if (value === null) return '#9aa3ad'
  const share = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5
  const mix = (from: number, to: number, part: number) => Math.round(from + (to - from) * part)
  const [cold, mild, warm] = [[29, 111, 209] as const, [150, 150, 158] as const, [196, 43, 28] as const]
  const [from, to, part] = share < 0.5 ? [cold, mild, share * 2] : [mild, warm, share * 2 - 1]
  return `rgb(${mix(from[0]!, to[0]!, part)},${mix(from[1]!, to[1]!, part)},${mix(from[2]!, to[2]!, part)})`
}

/** Undefined where fewer than two points have a place on the floor. `between`: the temperatures of blue and red; left out, those of the points. */
export const planOf = (points: readonly PlanPoint[], between?: readonly [low: number, high: number]): Tree | undefined => {
  if (points.length < 2) return
  const [xs, ys] = [points.map(({ X }) => X), points.map(({ Y }) => Y)]
  const [x0, y0] = [Math.min(...xs), Math.min(...ys)]
  const wide = Math.max(Math.max(...xs) - x0, 1)
  const deep = Math.max(Math.max(...ys) - y0, 1)
  const scale = Math.min(most.width / wide, most.height / deep)
  const values = points.flatMap(({ Value }) => Value ?? [])
  const [low, high] = between ?? [Math.min(...values), Math.max(...values)]
  const place = ({ X, Y }: PlanPoint) => ({ cx: round(left + (X - x0) * scale), cy: round(top + (Y - y0) * scale) })
  const text = (x: number, y: number, content: string, weight?: string) =>
    el('text', { x: round(x), y: round(y), 'text-anchor': 'middle', 'font-size': 9, fill: '#333a42', 'font-weight': weight }, content)
  return el(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${planSize.width} ${planSize.height}`,
      width: planSize.width,
      height: planSize.height,
      'font-family': 'system-ui',
    },
    el('rect', { width: planSize.width, height: planSize.height, fill: '#fff' }),
    el('rect', {
      ...{
        x: left - margin.x,
        y: top - margin.y,
        width: round(wide * scale + 2 * margin.x),
        height: round(deep * scale + 2 * margin.y),
        rx: 3,
      },
      ...{ fill: 'none', stroke: '#9aa3ad', 'stroke-width': 1 },
    }),
    ...points.flatMap((point) => {
      const at = place(point)
      const ring = point.Marked ? [el('circle', { ...at, r: 11, fill: 'none', stroke: '#333a42', 'stroke-width': 1.2 })] : []
      return [
        ...ring,
        el('circle', { ...at, r: 7, fill: colourOf(point.Value, low, high) }),
        text(at.cx, at.cy - 13, point.Name),
        text(at.cx, at.cy + 20, point.Text),
      ]
    }),
  )
}
