import 'uplot/dist/uPlot.min.css'
import { useEffect, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import type { ParaInfo } from '../../contract/telemetry.ts'
import { fontFamily } from '../theme/antd.ts'
import { useColours, useMode } from '../theme/mode.ts'
import { lines as palette } from '../theme/tokens.ts'
import { userZone } from '../words/formats.ts'
import { language, useWords } from '../words/words.ts'
import type { Line } from './assemble.ts'
import { columnsOf } from './columns.ts'
import { hasLabels, type PlotStyle, plotOptions } from './options.ts'
import { pan, type Range, zoom } from './ranges.ts'

type Props = {
  points: readonly ParaInfo[]
  lines: readonly Line[]
  range: Range
  width: number
  height: number
  /** Unit of the left axis. */
  unit?: string
  /** Limits are in sight, however far from the values. */
  limits?: boolean
  /** A new range that somebody dragged, panned or turned to; a plot that is not told stays as it is. */
  onRange?: (range: Range) => void
  onBack?: () => void
  onCursor?: (at: number | undefined) => void
  canvas?: (canvas: HTMLCanvasElement | null) => void
}

const nothing = () => {}

/** A trend: drag zooms in, double click goes back, arrows pan, + and − and the wheel zoom about the pointer. */
export const Plot = ({ points, lines, range, width, height, unit, limits = false, canvas, ...told }: Props) => {
  const { onRange = nothing, onBack = nothing, onCursor = nothing } = told
  const t = useWords()
  const mode = useMode((s) => s.mode)
  const colours = useColours()
  const locale = language()
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const now = useRef({ range, onRange, onBack, onCursor, canvas })
  now.current = { range, onRange, onBack, onCursor, canvas }

  const banded = lines.map((line) => line.Low !== undefined)
  const shape = JSON.stringify([points.map((p) => [p.ParaId, p.ParaUnitName, p.AlarmLow, p.AlarmHigh]), banded])
  const labels = hasLabels(width)
  const data = useMemo(() => columnsOf(lines), [lines])

  // A new plot only when its lines change, not with each reading: `shape` stands for points and bands.
  const latest = useRef({ points, banded, data })
  latest.current = { points, banded, data }
  useEffect(() => {
    const style: PlotStyle = { colours, lines: palette[mode], font: fontFamily, zone: userZone(), locale }
    const drawn = { points: latest.current.points, banded: latest.current.banded, labels, unit, limits }
    if (JSON.stringify([drawn.points.map((p) => [p.ParaId, p.ParaUnitName, p.AlarmLow, p.AlarmHigh]), drawn.banded]) !== shape) return
    const options = plotOptions(
      drawn,
      style,
      { width, height },
      { select: (r) => now.current.onRange(r), cursor: (at) => now.current.onCursor(at) },
    )
    const made = new uPlot(options, latest.current.data, box.current!)
    made.setScale('x', { min: now.current.range.start, max: now.current.range.end })
    plot.current = made
    now.current.canvas?.(made.ctx.canvas)
    return () => {
      made.destroy()
      plot.current = undefined
    }
  }, [shape, colours, mode, locale, labels, unit, limits, width, height])

  useEffect(() => {
    const u = plot.current
    if (!u) return
    u.batch(() => {
      u.setData(data, false)
      u.setScale('x', { min: range.start, max: range.end })
    })
  }, [data, range])

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
  }, [])

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
