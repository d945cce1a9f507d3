// A spectrum as lines from the axis, with named frequencies across it. Pure.
import { areaOf, endsOf, numbersBelow, rounded, scaleAt } from '../../../analysis/reports/axes.ts'
import type { Canvas, Shape } from '../../../analysis/reports/drawing.ts'

type Spectrum = { Step: number; Values: readonly number[] }
type Mark = { name: string; at: number }

export const paintSpectrum = ({ Step, Values }: Spectrum, marks: readonly Mark[], look: Canvas): Shape[] => {
  const { area } = areaOf([], look)
  const high = Step * Values.length
  const { y, shapes } = scaleAt(area, endsOf([...Values], true), look)
  const x = (hz: number) => rounded(area.left + (hz / high) * (area.right - area.left))
  const d = Values.map((value, i) => `M${x(i * Step)} ${area.bottom}V${rounded(y(value))}`).join('')
  return [
    ...shapes,
    ...marks
      .filter(({ at }) => at < high)
      .flatMap(({ name, at }, i): Shape[] => [
        {
          tag: 'line',
          at: { x1: x(at), x2: x(at), y1: area.top, y2: area.bottom, stroke: look.colours[1] ?? look.text, 'stroke-dasharray': '4 3' },
        },
        // Stagger labels so that close frequencies do not overlap.
        {
          tag: 'text',
          at: { x: x(at) + 4, y: area.top + 10 + 12 * i, 'font-size': 10, fill: look.text },
          text: `${name} ${look.number(at)} Hz`,
        },
      ]),
    {
      tag: 'path',
      at: { d, fill: 'none', stroke: look.colours[0]!, 'stroke-width': Math.max(1, (area.right - area.left) / Values.length - 0.5) },
    },
    ...numbersBelow(area, 0, high, look).shapes,
  ]
}
