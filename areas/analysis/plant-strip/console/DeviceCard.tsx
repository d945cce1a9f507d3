import { Link } from 'react-router'
import type { Line } from '../../../../console/chart/assemble.ts'
import { useNow } from '../../../../console/live/clock.ts'
import { LiveValue } from '../../../../console/live/LiveCells.tsx'
import { useLatest } from '../../../../console/live/points.ts'
import { readingOf } from '../../../../console/live/reading.ts'
import { type Condition, levelCondition, Shape, State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { Sparkline } from './Sparkline.tsx'
import type { StripDevice } from './strip.ts'

/** By the Status of a device. */
const conditions: readonly Condition[] = ['offline', 'normal', 'warning', 'offline']

/** The device is online, but sends no values. */
const CardState = ({ device: { status, values } }: { device: StripDevice }) => {
  const t = useWords()
  const now = useNow()
  const latest = [useLatest(values[0]?.ParaId), useLatest(values[1]?.ParaId), useLatest(values[2]?.ParaId)]
  const isStale = status === 1 && values.length > 0 && values.every((p, i) => readingOf(p, latest[i], now).word === 'stale')
  return isStale ? (
    <State is="offline">{t('reading.stale')}</State>
  ) : (
    <State is={conditions[status] ?? 'normal'}>{t(`device.Status.${status}`)}</State>
  )
}

export type Alarms = { Count: number; Level: number }
type Props = { device: StripDevice; alarms: Alarms | undefined; line: Line | undefined; end: number; silence: number }

/** A device with its state, alarms, key values and a one-hour curve of the first value. */
export const DeviceCard = ({ device, alarms, line, end, silence }: Props) => {
  const t = useWords()
  const { id, name, values } = device
  const [first] = values
  return (
    <article className="plant-card" aria-label={name}>
      <header>
        <Link to={`/projectManagement/devicePointList?Id=${id}`}>{name}</Link>
        {alarms && (
          <Link
            className="plant-alarms"
            to={`/alarmManagement/alarmInfo?DeviceId=${id}`}
            aria-label={t('plant.alarms', { count: alarms.Count })}
          >
            <Shape is={levelCondition(alarms.Level)} label={t(`alarmInfo.AlarmLevel.${alarms.Level}`)} /> {alarms.Count}
          </Link>
        )}
      </header>
      <CardState device={device} />
      <dl>
        {values.map((p) => (
          <div key={p.ParaId}>
            <dt>{p.ParaName}</dt>
            <dd>
              <LiveValue point={p} />
            </dd>
          </div>
        ))}
      </dl>
      {first && <Sparkline id={first.ParaId} line={line} end={end} silence={silence} label={t('plant.hour', { name: first.ParaName })} />}
    </article>
  )
}
