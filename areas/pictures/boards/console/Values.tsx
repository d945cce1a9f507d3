import { namesOf } from '../../../../console/chart/names.ts'
import { useNow } from '../../../../console/live/clock.ts'
import { readingOf } from '../../../../console/live/reading.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { Shape } from '../../../../console/theme/State.tsx'
import { ageText, numberText, timeText, userZone } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { partOf } from './past.ts'
import { usePoints, useReading } from './useBoardData.ts'
import type { WidgetProps } from './Widget.tsx'

const useShown = (point: ParaInfo) => {
  const t = useWords()
  const now = useNow()
  const latest = useReading(point.ParaId)
  const { is, word } = readingOf(point, latest, now)
  const age = latest && word === 'stale' ? ageText(now - latest.Time, language()) : undefined
  return { t, latest, is, word, age, when: latest && `${timeText(latest.Time)} (${userZone()})` }
}

/** Quality and age of the value, unless it is good. */
const Worth = ({ word, age, when }: Pick<ReturnType<typeof useShown>, 'word' | 'age' | 'when'>) => {
  const t = useWords()
  if (word === 'good') return null
  return (
    <span className="board-worth soft" title={when}>
      {t(`reading.${word}`)}
      {age && ` · ${age}`}
    </span>
  )
}

const Value = ({ point, name }: { point: ParaInfo; name: string | undefined }) => {
  const { t, latest, is, word, age, when } = useShown(point)
  return (
    <div className="board-value">
      {name !== undefined && <span className="board-value-name soft">{name}</span>}
      <span className={`board-figure figures state-${is} board-${word}`}>
        <Shape is={is} label={t(`reading.${word}`)} /> {valueText(latest?.Value, point, t)}
        {typeof latest?.Value === 'number' && point.ParaUnitName && <span className="unit"> {point.ParaUnitName}</span>}
      </span>
      <Worth word={word} age={age} when={when} />
    </div>
  )
}

/** Latest values, large. */
export const Values = ({ widget }: WidgetProps) => {
  const points = usePoints(widget)
  const names = namesOf(points)
  const isOnly = points.length === 1 && !widget.Title
  return (
    <div className="board-values">
      {points.map((p, i) => (
        <Value key={p.ParaId} point={p} name={isOnly ? undefined : names[i]} />
      ))}
    </div>
  )
}

const [centre, radius, thick] = [60, 48, 12]
const pointAt = (part: number, r = radius): [number, number] => {
  const angle = Math.PI * (1 - part)
  return [centre + r * Math.cos(angle), centre - r * Math.sin(angle)]
}
const arc = (from: number, to: number) => {
  const [[x1, y1], [x2, y2]] = [pointAt(from), pointAt(to)]
  return `M${x1.toFixed(2)} ${y1.toFixed(2)}A${radius} ${radius} 0 0 1 ${x2.toFixed(2)} ${y2.toFixed(2)}`
}

const Gauge = ({ point, name, low, high }: { point: ParaInfo; name: string | undefined; low: number; high: number }) => {
  const { t, latest, is, word, age, when } = useShown(point)
  const value = latest?.Value ?? null
  const text = `${valueText(value, point, t)}${value === null ? '' : ` ${point.ParaUnitName}`}`.trim()
  const isUnsure = value === null || is === 'offline' || word === 'uncertain'
  const limits = [point.AlarmLow, point.AlarmHigh].filter((limit) => limit !== null && limit > low && limit < high) as number[]
  const digits = (n: number) => numberText(n, 0, language(), point.DecimalDigits)
  return (
    <div className="board-gauge">
      <svg viewBox="0 0 120 82" role="img" aria-label={`${name ?? point.ParaName}: ${text}, ${t(`reading.${word}`)}`}>
        <path d={arc(0, 1)} className="gauge-track" strokeWidth={thick} />
        {value !== null && (
          <path
            d={arc(0, Math.max(0.004, partOf(value, low, high)))}
            className={`gauge-fill gauge-${is}${isUnsure ? ' gauge-unsure' : ''}`}
            strokeWidth={isUnsure ? 3 : thick}
          />
        )}
        {limits.map((limit) => {
          const part = partOf(limit, low, high)
          const [[x1, y1], [x2, y2]] = [pointAt(part, radius - thick / 2 - 2), pointAt(part, radius + thick / 2 + 2)]
          return <line key={limit} x1={x1} y1={y1} x2={x2} y2={y2} className="gauge-limit" />
        })}
        <text x={centre} y={58} className={`gauge-value state-${is}`}>
          {valueText(value, point, t)}
        </text>
        <text x={centre} y={70} className="gauge-unit">
          {point.ParaUnitName}
        </text>
        <text x={12} y={78} className="gauge-end">
          {digits(low)}
        </text>
        <text x={108} y={78} className="gauge-end">
          {digits(high)}
        </text>
      </svg>
      {name !== undefined && <span className="soft">{name}</span>}
      <Worth word={word} age={age} when={when} />
    </div>
  )
}

/** Latest values as gauges with alarm limits. */
export const Gauges = ({ widget }: WidgetProps) => {
  const points = usePoints(widget)
  const names = namesOf(points)
  const isOnly = points.length === 1 && !widget.Title
  return (
    <div className="board-values">
      {points.map((p, i) => {
        const low = widget.Min ?? p.AxisMin ?? 0
        const high = widget.Max ?? p.AxisMax ?? 100
        return <Gauge key={p.ParaId} point={p} name={isOnly ? undefined : names[i]} low={low} high={high > low ? high : low + 1} />
      })}
    </div>
  )
}
