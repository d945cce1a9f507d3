import { Link } from 'react-router'
import { useNow } from '../../../../console/live/clock.ts'
import { useLatest } from '../../../../console/live/points.ts'
import { readingOf } from '../../../../console/live/reading.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { levelCondition, Shape } from '../../../../console/theme/State.tsx'
import { none } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { isGone, type ParaInfo } from '../../../../contract/telemetry.ts'
import { PartSymbol } from './symbols.tsx'
import type { Device } from './useDemoDevices.ts'
import { boxHeight, boxWidth, type Drawn, type Layout, type Part } from './works.ts'

const textLeft = 74

type ValueProps = { drawn: Drawn; point: ParaInfo | undefined; y: number }
/** A value with its label: coloured and with a shape beyond a limit, grey when stale. */
const Value = ({ drawn: { label, n }, point, y }: ValueProps) => {
  const t = useWords()
  const now = useNow()
  const latest = useLatest(point?.ParaId)
  const { is, word } = point ? readingOf(point, latest, now) : ({ is: 'offline', word: 'none' } as const)
  const text = point && latest ? valueText(latest.Value, point, t) : none
  return (
    <g transform={`translate(${textLeft} ${y})`}>
      <text className="works-label">{t(`works.label.${label}`, n ? { n } : undefined)}</text>
      <text className={`works-value state-${is}`} y="14">
        {text}
        <tspan className="works-unit"> {text === none ? '' : point?.ParaUnitName}</tspan>
        {word !== 'good' && <title>{t(`reading.${word}`)}</title>}
      </text>
      {is !== 'normal' && word !== 'none' && (
        <g transform={`translate(${boxWidth - textLeft - 18} 3)`}>
          <Shape is={is} label={t(`reading.${word}`)} />
        </g>
      )}
    </g>
  )
}

/** The value of a point, unless it is stale. */
const useReading = (point: ParaInfo | undefined): number | undefined => {
  const now = useNow()
  const latest = useLatest(point?.ParaId)
  if (!point || !latest || latest.Value === null || readingOf(point, latest, now).is === 'offline') return undefined
  return latest.Value
}

type MachineProps = { part: Part; pointOf: (name: string) => ParaInfo | undefined }
const Machine = ({ part, pointOf }: MachineProps) => {
  const tank = part.level ? pointOf(part.level) : undefined
  const level = useReading(tank)
  const { running = [] } = part
  const states = [useReading(pointOf(running[0] ?? '')), useReading(pointOf(running[1] ?? '')), useReading(pointOf(running[2] ?? ''))]
  const fill = level === undefined ? undefined : Math.min(1, Math.max(0, level / (tank?.AxisMax || 1)))
  return <PartSymbol kind={part.kind} fill={fill} running={running.map((_, i) => (states[i] === undefined ? undefined : states[i] > 0))} />
}

type Props = { part: Part; device: Device; alarms: { Count: number; Level: number } | undefined; layout: Layout }

/** An object in the drawing. Opens its device. */
export const PartBox = ({ part, device: { id, status, points }, alarms, layout }: Props) => {
  const t = useWords()
  const { x, y } = part[layout]
  const pointOf = (name: string) => points.get(name)
  const marks = [isGone(status) ? 'works-gone' : '', alarms ? `works-alarm works-alarm-${levelCondition(alarms.Level)}` : '']
  return (
    <Link to={`/projectManagement/devicePointList?Id=${id}`}>
      <g className={`works-part ${marks.join(' ')}`} transform={`translate(${x} ${y})`}>
        <rect className="works-box" width={boxWidth} height={boxHeight} rx="4" />
        <text className="works-title" x="10" y="20">
          {t(`works.${part.key}`)}
        </text>
        {alarms && (
          <g transform={`translate(${boxWidth - 40} 9)`}>
            <Shape is={levelCondition(alarms.Level)} label={t('plant.alarms', { count: alarms.Count })} />
            <text className="works-count" x="17" y="11" aria-hidden>
              {alarms.Count}
            </text>
          </g>
        )}
        <Machine part={part} pointOf={pointOf} />
        {isGone(status) ? (
          <text className="works-label" x={textLeft} y="46">
            {t(`device.Status.${status}`)}
          </text>
        ) : (
          part.values.map((drawn, i) => <Value key={drawn.point} drawn={drawn} point={pointOf(drawn.point)} y={42 + i * 32} />)
        )}
      </g>
    </Link>
  )
}
