import uPlot from 'uplot'
import type { ParaInfo } from '../../contract/telemetry.ts'
import type { Colours } from '../theme/tokens.ts'
import { timeText } from '../words/formats.ts'
import { spread } from './assemble.ts'
import type { Range } from './ranges.ts'

export type PlotStyle = { colours: Colours; lines: readonly string[]; font: string; zone: string; locale: string }
/** `unit` is the one whose axis stands on the left; a second unit gets the right one, further ones none. */
export type Drawn = {
  points: readonly ParaInfo[]
  banded: readonly boolean[]
  labels: boolean
  unit?: string
  /** Limits are in sight, however far from the values. */
  limits?: boolean
}

const labelHeight = 16
const labelRoom = 150
const [axisRoom, unitRoom, edge] = [56, 18, 16]
/** From which width, px, names stand at the ends of the lines. */
const labelled = 720
export const hasLabels = (width: number) => width >= labelled
/** Room left and right of what is plotted, px, where all points have one unit. */
export const plotMargins = (width: number, unit: string) => ({
  marginLeft: axisRoom + (unit ? unitRoom : 0),
  marginRight: hasLabels(width) ? labelRoom : edge,
})
const day = 86_400_000

/** Ticks say the date where it changes, and no more of the time than the step needs. */
const timeTicks =
  (zone: string) =>
  (_: uPlot, splits: number[], __: number, ___: number, step: number): string[] => {
    let date = ''
    return splits.map((at) => {
      const text = timeText(at, zone)
      const changed = text.slice(0, 10) !== date
      date = text.slice(0, 10)
      if (step >= 28 * day) return text.slice(0, 7)
      if (step >= day) return text.slice(5, 10)
      const time = text.slice(11, step < 60_000 ? 19 : 16)
      return changed ? `${time}\n${text.slice(5, 10)}` : time
    })
  }

const scaleOf = (p: ParaInfo) => `y-${p.ParaUnitName}`

const shortened = (ctx: CanvasRenderingContext2D, text: string, room: number) => {
  let cut = text
  while (cut.length > 1 && ctx.measureText(cut).width > room) cut = `${cut.slice(0, -2)}…`
  return cut
}

/** Names at the right end of the lines, each in its line's colour. */
const drawLabels = (u: uPlot, { points }: Drawn, { lines, font }: PlotStyle, index: number[]) => {
  const { ctx } = u
  const ratio = uPlot.pxRatio
  const { top, height } = u.bbox
  const left = ctx.canvas.width - (labelRoom - 8) * ratio
  const ends = points.map((p, i) => {
    const values = u.data[index[i]!] as (number | null | undefined)[]
    const last = values.findLast((v) => typeof v === 'number')
    return typeof last === 'number' ? u.valToPos(last, scaleOf(p), true) : Number.NaN
  })
  const shown = points.map((_, i) => i).filter((i) => Number.isFinite(ends[i]))
  const at = spread(
    shown.map((i) => ends[i]!),
    labelHeight * ratio,
    top + 6 * ratio,
    top + height - 6 * ratio,
  )
  ctx.save()
  ctx.font = `${12 * ratio}px ${font}`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  shown.forEach((i, n) => {
    ctx.fillStyle = lines[i % lines.length]!
    ctx.fillText(shortened(ctx, points[i]!.ParaName, (labelRoom - 8) * ratio), left, at[n]!)
  })
  ctx.restore()
}

/** Limits as thin dashed lines in the colour of what they limit. */
const drawLimits = (u: uPlot, { points }: Drawn, { lines }: PlotStyle) => {
  const { ctx, bbox } = u
  ctx.save()
  ctx.lineWidth = uPlot.pxRatio
  ctx.setLineDash([4 * uPlot.pxRatio, 4 * uPlot.pxRatio])
  points.forEach((p, i) => {
    for (const limit of [p.AlarmLow, p.AlarmHigh]) {
      if (limit === null) continue
      const y = u.valToPos(limit, scaleOf(p), true)
      if (y < bbox.top || y > bbox.top + bbox.height) continue
      ctx.strokeStyle = lines[i % lines.length]!
      ctx.beginPath()
      ctx.moveTo(bbox.left, y)
      ctx.lineTo(bbox.left + bbox.width, y)
      ctx.stroke()
    }
  })
  ctx.restore()
}

const padded = (_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax => {
  if (min === null || max === null) return [0, 1]
  const room = max > min ? (max - min) * 0.06 : Math.max(Math.abs(max) * 0.05, 0.5)
  return [min - room, max + room]
}

const withLimits =
  (limits: readonly number[]) =>
  (u: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax =>
    padded(u, min === null ? min : Math.min(min, ...limits), max === null ? max : Math.max(max, ...limits))

type Hooks = { select: (range: Range) => void; cursor: (at: number | undefined) => void }

/** Index of each point's own column among the columns of the plot. */
export const columnOf = (banded: readonly boolean[]): number[] => {
  let next = 1
  return banded.map((band) => {
    const own = next
    next += band ? 3 : 1
    return own
  })
}

/** Options of a plot: a scale a unit, a line a point, a band behind it where its entries are buckets. */
export const plotOptions = (drawn: Drawn, style: PlotStyle, size: { width: number; height: number }, hooks: Hooks): uPlot.Options => {
  const { points, banded, labels, unit, limits = false } = drawn
  const { colours, lines, font, zone, locale } = style
  const scales = [...new Set(points.map(scaleOf))].sort((a, b) => Number(b === `y-${unit}`) - Number(a === `y-${unit}`))
  const index = columnOf(banded)
  const limitsOf = (scale: string) =>
    points.filter((p) => limits && scaleOf(p) === scale).flatMap((p) => [p.AlarmLow, p.AlarmHigh].filter((limit) => limit !== null))
  const digits = Math.max(0, ...points.map((p) => p.DecimalDigits))
  const axisFont = `12px ${font}`
  const series = points.flatMap((p, i): uPlot.Series[] => {
    const stroke = lines[i % lines.length]!
    const own: uPlot.Series = { label: p.ParaName, scale: scaleOf(p), stroke, width: 1.5, points: { show: false }, spanGaps: false }
    const rim: uPlot.Series = { scale: scaleOf(p), width: 0, points: { show: false }, spanGaps: false }
    return banded[i] ? [own, rim, rim] : [own]
  })
  const bands = points.flatMap((_, i): uPlot.Band[] =>
    banded[i] ? [{ series: [index[i]! + 2, index[i]! + 1], fill: `${lines[i % lines.length]}33` }] : [],
  )
  return {
    ...size,
    ms: 1,
    tzDate: (at) => uPlot.tzDate(new Date(at), zone),
    padding: [8, labels ? labelRoom : edge, 0, 0],
    legend: { show: false },
    scales: { x: { time: true, auto: false }, ...Object.fromEntries(scales.map((s) => [s, { range: withLimits(limitsOf(s)) }])) },
    axes: [
      {
        font: axisFont,
        stroke: colours.soft,
        grid: { stroke: colours.line, width: 1 },
        ticks: { stroke: colours.line },
        values: timeTicks(zone),
        space: 72,
        size: 44,
      },
      ...scales.map(
        (scale, i): uPlot.Axis => ({
          scale,
          show: i === 0 || (i === 1 && scales.length === 2),
          side: i === 1 ? 1 : 3,
          font: axisFont,
          stroke: colours.soft,
          grid: { show: i === 0, stroke: colours.line, width: 1 },
          ticks: { stroke: colours.line },
          label: scale.slice(2),
          labelFont: axisFont,
          labelSize: scale.length > 2 ? unitRoom : 0,
          size: axisRoom,
          values: (_, splits, __, ___, step) =>
            splits.map((v) =>
              v.toLocaleString(locale, { maximumFractionDigits: Math.max(digits, step < 1 ? Math.ceil(-Math.log10(step)) : 0) }),
            ),
        }),
      ),
    ],
    series: [{}, ...series],
    bands,
    cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 6 }, bind: { dblclick: () => null } },
    hooks: {
      draw: [
        (u) => drawLimits(u, drawn, style),
        (u) => {
          if (labels) drawLabels(u, drawn, style, index)
        },
      ],
      setSelect: [
        (u) => {
          if (u.select.width < 4) return
          hooks.select({ start: u.posToVal(u.select.left, 'x'), end: u.posToVal(u.select.left + u.select.width, 'x') })
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
      setCursor: [(u) => hooks.cursor(u.cursor.left !== undefined && u.cursor.left >= 0 ? u.posToVal(u.cursor.left, 'x') : undefined)],
    },
  }
}
