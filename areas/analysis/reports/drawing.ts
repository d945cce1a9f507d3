// Drawing primitives of charts, independent of the renderer.

export type Shape = {
  tag: 'line' | 'path' | 'rect' | 'text' | 'circle'
  at: Record<string, string | number>
  text?: string
  /** Tooltip. */
  title?: string
}
/** What one draws on. */
export type Canvas = {
  width: number
  height: number
  colours: readonly string[]
  text: string
  grid: string
  number: (value: number) => string
}

/** Colours of curves and bars on paper, distinct in grey, too. */
export const paperColours = ['#1070a7', '#1b998a', '#3f2c81', '#a36d44', '#570444', '#445102']

export const margin = { left: 56, right: 12, top: 8, bottom: 22 }
const legendRow = 14
export const dashes = ['', '6 3', '2 2', '8 3 2 3', '1 3', '10 4']

/** Round steps of an axis. */
export const ticksOf = (low: number, high: number, wanted: number) => {
  const rough = (high - low) / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? 10 * power
  const first = Math.ceil(low / step - 1e-9)
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/** About how wide a small text is, px. */
export const widthOf = (text: string) => [...text].reduce((sum, c) => sum + (c > '\u2e80' ? 9 : 5.2), 0)

/** Names of curves share lines of limited width. `blocks`: of bars instead of curves. */
export const legendOf = (names: readonly string[], { width, colours, text }: Canvas, blocks = false) => {
  const shapes: Shape[] = []
  let [x, y] = [margin.left, margin.top + 8]
  for (const [i, name] of names.entries()) {
    const wide = widthOf(name) + 30
    if (x > margin.left && x + wide > width - margin.right) [x, y] = [margin.left, y + legendRow]
    const stroke = colours[i % colours.length]!
    const line = { x1: x, x2: x + 18, y1: y - 3, y2: y - 3, stroke, 'stroke-width': blocks ? 8 : 2 }
    shapes.push({ tag: 'line', at: dashes[i] && !blocks ? { ...line, 'stroke-dasharray': dashes[i] } : line })
    shapes.push({ tag: 'text', at: { x: x + 22, y, 'font-size': 9, fill: text }, text: name })
    x += wide
  }
  return { shapes, height: y + 6 }
}
