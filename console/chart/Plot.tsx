import 'uplot/dist/uPlot.min.css'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import type { ParaInfo } from '../../contract/telemetry.ts'
import { fontFamily } from '../theme/antd.ts'
import { useColours, useMode } from '../theme/mode.ts'
import { lines as palette } from '../theme/tokens.ts'
import { numberText, userZone } from '../words/formats.ts'
import { language, useWords, type Words } from '../words/words.ts'
import { type Line, valueAt } from './assemble.ts'
import { columnsOf } from './columns.ts'
import type { PlotStyle } from './draw.ts'
import { hasLabels, plotOptions } from './options.ts'
import { scaleOf } from './panes.ts'
import { pan, type Range, zoom } from './ranges.ts'

type Props = {
  points: readonly ParaInfo[]
  lines: readonly Line[]
  range: Range
  width: number
  height: number
  /** Points whose limits are always drawn and in view, even if far from the values; by default those of the curve at the pointer. */
  limited?: readonly number[]
  /** A new range from dragging, panning or the wheel. Plots that do not receive it stay unchanged. */
  onRange?: (range: Range) => void
  onBack?: () => void
  /** The time at the pointer, and the point with the nearest curve. */
  onCursor?: (at: number | undefined, id: number | undefined) => void
  canvas?: (canvas: HTMLCanvasElement | null) => void
}

const nothing = () => {}
const nobody: readonly number[] = []
/** Maximum distance between pointer and curve, px. */
const reach = 32

/** The point with the curve nearest to the pointer. */
const nearest = (u: uPlot, points: readonly ParaInfo[], lines: readonly Line[]): number | undefined => {
  const { left = -1, top = -1 } = u.cursor
  if (left < 0) return undefined
  const at = u.posToVal(left, 'x')
  const [closest] = points
    .map((p, i) => ({ id: p.ParaId, value: lines[i] ? valueAt(lines[i], at) : null, scale: scaleOf(p) }))
    .flatMap(({ id, value, scale }) => (value === null ? [] : [{ id, away: Math.abs(u.valToPos(value, scale) - top) }]))
    .sort((a, b) => a.away - b.away)
  return closest && closest.away <= reach ? closest.id : undefined
}

const limitText =
  (t: Words): PlotStyle['limitText'] =>
  (side, name, limit) =>
    t(`trend.limit.${side}`, { name, limit: numberText(limit, 0, language(), 3) }).trim()

/** The wheel zooms around the pointer, or pans sideways. */
const useWheel = (
  box: RefObject<HTMLDivElement | null>,
  plot: RefObject<uPlot | undefined>,
  now: RefObject<{ range: Range; onRange: (range: Range) => void }>,
) => {
  useEffect(() => {
    const element = box.current!
    element.tabIndex = 0
    const wheel = (event: WheelEvent) => {
      const u = plot.current
      if (!u) return
      event.preventDefault()
      const { range: shown, onRange: change } = now.current
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return change(pan(shown, event.deltaX / 1000))
      const about = u.posToVal(event.clientX - u.over.getBoundingClientRect().left, 'x')
      change(zoom(shown, event.deltaY > 0 ? 1.25 : 0.8, about))
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => element.removeEventListener('wheel', wheel)
  }, [box, plot, now])
}

/** A trend: drag to zoom in, double-click to go back, arrow keys to pan, + and − or the wheel to zoom around the pointer. */
export const Plot = ({ points, lines, range, width, height, limited = nobody, canvas, ...told }: Props) => {
  const { onRange = nothing, onBack = nothing, onCursor = nothing } = told
  const t = useWords()
  const mode = useMode((s) => s.mode)
  const colours = useColours()
  const locale = language()
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const now = useRef({ range, onRange, onBack, onCursor, canvas })
  now.current = { range, onRange, onBack, onCursor, canvas }

  const [pointed, setPointed] = useState<number>()
  const drawnLimits = useRef(nobody)
  const shown = pointed ?? (points.length === 1 ? points[0]!.ParaId : undefined)
  drawnLimits.current = [shown ?? 0]
  const banded = lines.map((line) => line.Low !== undefined)
  const shape = JSON.stringify([points.map((p) => [p.ParaId, p.ParaUnitName, p.AlarmLow, p.AlarmHigh]), banded])
  const labels = hasLabels(width)
  const data = useMemo(() => columnsOf(lines), [lines])

  // Recreates the plot only when its lines change, not with each reading: `shape` identifies points and bands.
  const latest = useRef({ points, banded, data, lines })
  latest.current = { points, banded, data, lines }
  const always = limited.join(',')
  useEffect(() => {
    const style: PlotStyle = { colours, lines: palette[mode], font: fontFamily, zone: userZone(), locale, limitText: limitText(t) }
    const drawn = { points: latest.current.points, banded: latest.current.banded, labels, limited: always.split(',').map(Number) }
    if (JSON.stringify([drawn.points.map((p) => [p.ParaId, p.ParaUnitName, p.AlarmLow, p.AlarmHigh]), drawn.banded]) !== shape) return
    const options = plotOptions(
      drawn,
      style,
      { width, height },
      {
        select: (r) => now.current.onRange(r),
        cursor: (at) => {
          const id = nearest(made, latest.current.points, latest.current.lines)
          setPointed(id)
          now.current.onCursor(at, id)
        },
        pointed: () => drawnLimits.current,
      },
    )
    const made: uPlot = new uPlot(options, latest.current.data, box.current!)
    made.setScale('x', { min: now.current.range.start, max: now.current.range.end })
    plot.current = made
    now.current.canvas?.(made.ctx.canvas)
    return () => {
      made.destroy()
      plot.current = undefined
    }
  }, [shape, colours, mode, locale, labels, always, width, height, t])

  useEffect(() => {
    plot.current?.redraw(false, false)
  }, [shown])

  useEffect(() => {
    const u = plot.current
    if (!u) return
    u.batch(() => {
      u.setData(data, false)
      u.setScale('x', { min: range.start, max: range.end })
    })
  }, [data, range])

  useWheel(box, plot, now)

  const keys: Record<string, () => void> = {
    ArrowLeft: () => onRange(pan(range, -0.1)),
    ArrowRight: () => onRange(pan(range, 0.1)),
    PageUp: () => onRange(pan(range, -0.8)),
    PageDown: () => onRange(pan(range, 0.8)),
    '+': () => onRange(zoom(range, 0.5, (range.start + range.end) / 2)),
    '-': () => onRange(zoom(range, 2, (range.start + range.end) / 2)),
    Escape: onBack,
  }
  return (
    <div
      ref={box}
      className="trend"
      style={{ height }}
      role="application"
      aria-label={t('trend.keys')}
      onDoubleClick={onBack}
      onKeyDown={(event) => {
        const act = keys[event.key]
        if (!act) return
        event.preventDefault()
        act()
      }}
    />
  )
}
