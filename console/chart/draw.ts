// Draws labels, limits and panes on a plot.
import uPlot from 'uplot'
import type { ParaInfo } from '../../contract/telemetry.ts'
import type { Colours } from '../theme/tokens.ts'
import { spread } from './assemble.ts'
import { namesOf, onlyDevice } from './names.ts'
import { endsOf, type Pane, scaleOf, unitsOf } from './panes.ts'

export type PlotStyle = {
  colours: Colours
  lines: readonly string[]
  font: string
  zone: string
  locale: string
  /** Label of a limit at its line; the name is empty if points share it. */
  limitText: (side: 'AlarmLow' | 'AlarmHigh', name: string, limit: number) => string
}
/** Up to two units have an axis each, left and right; with more, each has a pane. */
export type Drawn = {
  points: readonly ParaInfo[]
  banded: readonly boolean[]
  labels: boolean
  /** Points whose limits are always drawn and in view, even if far from the values. */
  limited: readonly number[]
}

export const [labelRoom, titleRoom] = [150, 20]
const [labelHeight, deviceHeight] = [16, 13]

const shortened = (ctx: CanvasRenderingContext2D, text: string, room: number) => {
  let cut = text
  while (cut.length > 1 && ctx.measureText(cut).width > room) cut = `${cut.slice(0, -2)}…`
  return cut
}

/** Draws names at the right end of the lines, in the colour of their line; with the device below, unless all points share it. */
export const drawLabels = (u: uPlot, { points }: Drawn, { lines, font, colours }: PlotStyle, index: number[]) => {
  const { ctx } = u
  const ratio = uPlot.pxRatio
  const { top, height } = u.bbox
  const left = ctx.canvas.width - (labelRoom - 8) * ratio
  const withDevice = onlyDevice(points) === undefined
  const ends = points.map((p, i) => {
    const values = u.data[index[i]!] as (number | null | undefined)[]
    const last = values.findLast((v) => typeof v === 'number')
    return typeof last === 'number' ? u.valToPos(last, scaleOf(p), true) : Number.NaN
  })
  const shown = points.map((_, i) => i).filter((i) => Number.isFinite(ends[i]))
  const at = spread(
    shown.map((i) => ends[i]!),
    (labelHeight + (withDevice ? deviceHeight : 0)) * ratio,
    top + 6 * ratio,
    top + height - (withDevice ? 6 + deviceHeight : 6) * ratio,
  )
  const write = (text: string, size: number, y: number) => {
    ctx.font = `${size * ratio}px ${font}`
    ctx.fillText(shortened(ctx, text, (labelRoom - 8) * ratio), left, y)
  }
  ctx.save()
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  shown.forEach((i, n) => {
    ctx.fillStyle = lines[i % lines.length]!
    write(points[i]!.ParaName, 12, at[n]!)
    ctx.fillStyle = colours.soft
    if (withDevice) write(points[i]!.DeviceName, 11, at[n]! + deviceHeight * ratio)
  })
  ctx.restore()
}

/** Draws limits as thin dashed lines with labels, in the colour of their point. */
export const drawLimits = (
  u: uPlot,
  { points }: Drawn,
  { lines, font, colours, limitText }: PlotStyle,
  { panes, shown }: { panes: readonly Pane[]; shown: readonly number[] },
) => {
  const { ctx, bbox } = u
  const units = unitsOf(points)
  const ratio = uPlot.pxRatio
  const names = namesOf(points)
  const drawn = new Set<string>()
  ctx.save()
  ctx.lineWidth = ratio
  ctx.font = `${11 * ratio}px ${font}`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  const isShared = (p: ParaInfo, side: 'AlarmLow' | 'AlarmHigh') =>
    points.some((q) => q !== p && q[side] === p[side] && q.ParaUnitName === p.ParaUnitName && shown.includes(q.ParaId))
  points.forEach((p, i) => {
    if (!shown.includes(p.ParaId)) return
    const [least, most] = endsOf(panes[units.indexOf(p.ParaUnitName)]!, u.scales[scaleOf(p)]!)
    for (const side of ['AlarmLow', 'AlarmHigh'] as const) {
      const limit = p[side]
      if (limit === null || limit < least || limit > most) continue
      const y = u.valToPos(limit, scaleOf(p), true)
      const text = limitText(side, isShared(p, side) ? '' : names[i]!, limit)
      if (drawn.has(text + p.ParaUnitName)) continue
      drawn.add(text + p.ParaUnitName)
      ctx.setLineDash([4 * ratio, 4 * ratio])
      ctx.strokeStyle = lines[i % lines.length]!
      ctx.beginPath()
      ctx.moveTo(bbox.left, y)
      ctx.lineTo(bbox.left + bbox.width, y)
      ctx.stroke()
      const above = y - bbox.top > 18 * ratio
      const at = y + (above ? -9 : 9) * ratio
      ctx.fillStyle = colours.surface
      ctx.fillRect(bbox.left + 4 * ratio, at - 7 * ratio, ctx.measureText(text).width + 8 * ratio, 14 * ratio)
      ctx.fillStyle = lines[i % lines.length]!
      ctx.fillText(text, bbox.left + 8 * ratio, at)
    }
  })
  ctx.restore()
}

/** Draws the unit above each pane, and a line below it. */
export const drawPanes = ({ ctx, bbox }: uPlot, units: readonly string[], panes: readonly Pane[], { font, colours }: PlotStyle) => {
  const ratio = uPlot.pxRatio
  ctx.save()
  ctx.font = `600 ${12 * ratio}px ${font}`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'right'
  panes.forEach(({ low, high }, i) => {
    const at = (part: number) => bbox.top + bbox.height * (1 - part)
    ctx.fillStyle = colours.soft
    ctx.fillText(units[i]!, bbox.left, at(high) - (titleRoom / 2) * ratio)
    ctx.fillStyle = colours.line
    ctx.fillRect(bbox.left, at(low), bbox.width, ratio)
  })
  ctx.restore()
}
