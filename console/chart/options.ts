import uPlot from 'uplot'
import type { ParaInfo } from '../../contract/telemetry.ts'
import { timeText } from '../words/formats.ts'
import { type Drawn, drawLabels, drawLimits, drawPanes, labelRoom, type PlotStyle, titleRoom } from './draw.ts'
import { endsOf, type Pane, paneCount, panesOf, scaleOf, stretched, unitsOf } from './panes.ts'
import type { Range } from './ranges.ts'

const [axisRoom, unitRoom, edge, timeRoom, top] = [56, 18, 16, 44, 8]
/** Minimum width in px for names at the ends of the lines. */
const labelled = 720
export const hasLabels = (width: number) => width >= labelled
/** Left and right margin of the plot, px. */
export const plotMargins = (width: number, points: readonly ParaInfo[]) => {
  const [left, right, more] = unitsOf(points)
  const axis = (unit: string | undefined) => (unit === undefined ? 0 : axisRoom + (unit ? unitRoom : 0))
  return {
    marginLeft: more === undefined ? axis(left) : axisRoom,
    marginRight: (more === undefined ? axis(right) : 0) + (hasLabels(width) ? labelRoom : edge),
  }
}
const day = 86_400_000

/** Ticks show the date where it changes, and the time only as precisely as the step requires. */
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

const padded = (_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax => {
  if (min === null || max === null) return [0, 1]
  const room = max > min ? (max - min) * 0.06 : Math.max(Math.abs(max) * 0.05, 0.5)
  return [min - room, max + room]
}

const rangeOf =
  (limits: readonly number[], pane: Pane) =>
  (u: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax => {
    const [low, high] = padded(u, min === null ? min : Math.min(min, ...limits), max === null ? max : Math.max(max, ...limits))
    return stretched(pane, [low!, high!])
  }

type Hooks = {
  select: (range: Range) => void
  cursor: (at: number | undefined) => void
  /** Additional points whose limits are drawn. */
  pointed: () => readonly number[]
}

/** With more curves than colours, lines are dashed, then dotted. */
export const dashOf = (i: number, colours: number): number[] | undefined => [undefined, [8, 4], [2, 3]][Math.floor(i / colours) % 3]

/** Column index of each point in the plot. */
export const columnOf = (banded: readonly boolean[]): number[] => {
  let next = 1
  return banded.map((band) => {
    const own = next
    next += band ? 3 : 1
    return own
  })
}

/** Maximum characters of a number at an axis. */
const fitting = 8
/** Formats a number at an axis with enough digits to distinguish neighbours; large ones in thousands, millions and so on. */
export const axisText = (value: number, step: number, digits: number, locale: string) => {
  const own = Math.max(digits, step < 1 ? Math.ceil(-Math.log10(step)) : 0)
  const whole = value.toLocaleString(locale, { maximumFractionDigits: own })
  if (whole.length <= fitting) return whole
  const unit = locale === 'zh' || locale === 'ja' ? 4 : 3
  const shift = unit * Math.floor(Math.log10(Math.abs(value)) / unit)
  const places = Math.max(0, Math.min(20, Math.ceil(shift - Math.log10(step))))
  return value.toLocaleString(locale, { notation: 'compact', maximumFractionDigits: places })
}

/** The axis of a scale: at its side, or at the left of its pane. */
const axisOf = (
  { colours, font, locale }: PlotStyle,
  { scale, side, pane, digits }: { scale: string; side: 1 | 3; pane: Pane; digits: number },
): uPlot.Axis => {
  const axisFont = `12px ${font}`
  const stacked = pane.high - pane.low < 1
  /** Removes ticks that belong to other panes. */
  const within = (u: uPlot, splits: readonly number[]) => {
    const [low, high] = endsOf(pane, u.scales[scale]!)
    return splits.map((v) => (v >= low && v <= high ? v : null)) as number[]
  }
  return {
    scale,
    side,
    font: axisFont,
    stroke: colours.soft,
    grid: { show: side === 3, stroke: colours.line, width: 1, filter: within },
    ticks: { stroke: colours.line, filter: within },
    filter: within,
    ...(stacked ? { size: 0, labelSize: 0 } : { label: scale.slice(2), labelSize: scale.length > 2 ? unitRoom : 0, size: axisRoom }),
    labelFont: axisFont,
    values: (_, splits, __, ___, step) =>
      (splits as (number | null)[]).map((v) => (v === null || v === undefined ? null : axisText(v, step, digits, locale))),
  }
}

/** Options of a plot: a scale per unit, a line per point, and a band if its entries are buckets. */
export const plotOptions = (drawn: Drawn, style: PlotStyle, size: { width: number; height: number }, hooks: Hooks): uPlot.Options => {
  const { points, banded, labels, limited } = drawn
  const { colours, lines, font, zone } = style
  const units = unitsOf(points)
  const stacked = paneCount(points) > 1
  const panes = panesOf(units.length, titleRoom / (size.height - timeRoom - top))
  const index = columnOf(banded)
  const limitsOf = (unit: string) =>
    points
      .filter((p) => limited.includes(p.ParaId) && p.ParaUnitName === unit)
      .flatMap((p) => [p.AlarmLow, p.AlarmHigh].filter((limit) => limit !== null))
  const digits = Math.max(0, ...points.map((p) => p.DecimalDigits))
  const series = points.flatMap((p, i): uPlot.Series[] => {
    const stroke = lines[i % lines.length]!
    const dash = dashOf(i, lines.length)
    const own: uPlot.Series = {
      label: p.ParaName,
      scale: scaleOf(p),
      stroke,
      ...(dash ? { dash } : {}),
      width: 1.5,
      points: { show: false },
      spanGaps: false,
    }
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
    // Until curves arrive there is no value axis, so the first label of the time axis needs space.
    padding: [top, labels ? labelRoom : edge, 0, stacked || !units.length ? axisRoom : 0],
    legend: { show: false },
    scales: {
      x: { time: true, auto: false },
      ...Object.fromEntries(units.map((unit, i) => [`y-${unit}`, { range: rangeOf(limitsOf(unit), panes[i]!) }])),
    },
    axes: [
      {
        font: `12px ${font}`,
        stroke: colours.soft,
        grid: { stroke: colours.line, width: 1 },
        ticks: { stroke: colours.line },
        values: timeTicks(zone),
        space: 72,
        size: timeRoom,
      },
      ...units.map((unit, i) => axisOf(style, { scale: `y-${unit}`, side: i === 1 && !stacked ? 1 : 3, pane: panes[i]!, digits })),
    ],
    series: [{}, ...series],
    bands,
    cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 6 }, bind: { dblclick: () => null } },
    hooks: {
      draw: [
        (u) => {
          if (stacked) drawPanes(u, units, panes, style)
          drawLimits(u, drawn, style, { panes, shown: [...limited, ...hooks.pointed()] })
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
