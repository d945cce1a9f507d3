import { useEffect, useRef } from 'react'
import type { Line } from '../../../../console/chart/assemble.ts'
import { latestOf, listen } from '../../../../console/live/points.ts'

const [width, height, edge] = [200, 36, 3]
export const sparkMs = 3_600_000

type Scale = { x: (time: number) => number; y: (value: number) => number }

const scaleOf = (values: readonly number[], end: number): Scale => {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const room = height - 2 * edge
  return {
    x: (time) => Math.min(width, ((time - end + sparkMs) / sparkMs) * width),
    y: (value) => (high > low ? edge + room * (1 - (Math.min(high, Math.max(low, value)) - low) / (high - low)) : height / 2),
  }
}

/** Connected lines, interrupted where the line has a null. */
export const pathOf = ({ Time, Value }: Pick<Line, 'Time' | 'Value'>, { x, y }: Scale) =>
  Value.map((value, i) =>
    value === null ? '' : `${typeof Value[i - 1] === 'number' ? 'L' : 'M'}${x(Time[i]!).toFixed(1)} ${y(value).toFixed(1)}`,
  ).join('')

type Props = { id: number; line: Line | undefined; end: number; silence: number; label: string }

/** An hour of a point. New readings extend the line without rendering in React. */
export const Sparkline = ({ id, line, end, silence, label }: Props) => {
  const tip = useRef<SVGPathElement>(null)
  const values = line?.Value.filter((v) => v !== null) ?? []
  const scale = values.length ? scaleOf(values, end) : undefined
  const [time, value] = [line?.Time.at(-1), values.at(-1)]
  useEffect(() => {
    const draw = () => {
      const latest = latestOf(id)
      if (!scale || time === undefined || value === undefined || typeof latest?.Value !== 'number' || latest.Time < time) return
      const from = `M${scale.x(time)} ${scale.y(value)}`
      tip.current?.setAttribute('d', latest.Time - time > silence ? '' : `${from}L${scale.x(latest.Time)} ${scale.y(latest.Value)}`)
    }
    draw()
    return listen(id, draw)
  })
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {line && scale && <path d={pathOf(line, scale)} />}
      <path ref={tip} />
    </svg>
  )
}
