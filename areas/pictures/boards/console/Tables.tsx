import { Link } from 'react-router'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useNow } from '../../../../console/live/clock.ts'
import { readingOf } from '../../../../console/live/reading.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { useMay } from '../../../../console/session/session.ts'
import { type Condition, Shape, State } from '../../../../console/theme/State.tsx'
import { ageText, none } from '../../../../console/words/formats.ts'
import { Ago } from '../../../../console/words/moments.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { type Alarm, AlarmLevel } from '../../../alarms/alarms/console/AlarmLevel.tsx'
import { useBoard, usePoints, useReading } from './useBoardData.ts'
import type { WidgetProps } from './Widget.tsx'

const PointRow = ({ point }: { point: ParaInfo }) => {
  const t = useWords()
  const now = useNow()
  const { rangeQuery } = useBoard()
  const seesTrends = useMay('m10301')
  const latest = useReading(point.ParaId)
  const { is, word } = readingOf(point, latest, now)
  const to = `/dataAnalysis/realTimeData?points=${point.ParaId}${rangeQuery}`
  return (
    <tr>
      <th scope="row">
        {seesTrends ? <Link to={to}>{point.ParaName}</Link> : point.ParaName}
        <small className="faint">{point.DeviceName}</small>
      </th>
      <td className={`figures state-${is}`}>
        <Shape is={is} label={t(`reading.${word}`)} /> {valueText(latest?.Value, point, t)}
        {typeof latest?.Value === 'number' && <span className="unit"> {point.ParaUnitName}</span>}
      </td>
      <td className="soft">{word === 'good' ? '' : t(`reading.${word}`)}</td>
      <td className="soft figures">{latest ? ageText(now - latest.Time, language()) : none}</td>
    </tr>
  )
}

/** Points with their latest values. */
export const PointTable = ({ widget }: WidgetProps) => {
  const t = useWords()
  return (
    <table className="board-table">
      <thead>
        <tr>
          <th>{t('point')}</th>
          <th>{t('board.value')}</th>
          <th>{t('board.quality')}</th>
          <th>{t('board.age')}</th>
        </tr>
      </thead>
      <tbody>
        {usePoints(widget).map((p) => (
          <PointRow key={p.ParaId} point={p} />
        ))}
      </tbody>
    </table>
  )
}

/** Conditions by device Status. */
const conditions: readonly Condition[] = ['offline', 'normal', 'warning', 'offline']

/** Devices with their state: the selected ones, or those of the board's project. */
export const DeviceTable = ({ widget: { Devices = [] } }: WidgetProps) => {
  const t = useWords()
  const now = useNow()
  const { data } = useBoard()
  const seesPoints = useMay('m10107')
  if (!data) return null
  const shown = Devices.length ? Devices.flatMap((id) => data.Devices.find(({ Id }) => Id === id) ?? []) : data.Devices.slice(0, 50)
  if (!shown.length) return <EmptyList text={t('board.noDevices')} />
  return (
    <table className="board-table">
      <thead>
        <tr>
          <th>{t('device')}</th>
          <th>{t('device.Status')}</th>
          <th>{t('board.lastData')}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ Id, DeviceName, Status, LastTime }) => (
          <tr key={Id}>
            <th scope="row">{seesPoints ? <Link to={`/projectManagement/devicePointList?Id=${Id}`}>{DeviceName}</Link> : DeviceName}</th>
            <td>
              <State is={conditions[Status] ?? 'normal'}>{t(`device.Status.${Status}`)}</State>
            </td>
            <td className="soft figures">{LastTime === null ? none : ageText(Math.max(0, now - LastTime), language())}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Active alarms of the board's project and device, newest first. */
export const AlarmList = () => {
  const t = useWords()
  const { data } = useBoard()
  if (!data) return null
  if (!data.Alarms) return <EmptyList text={t('board.noAlarmRight')} />
  if (!data.Alarms.length) return <EmptyList text={t('alarm.noActive')} />
  return (
    <ul className="lines">
      {(data.Alarms as unknown as Alarm[]).map((row) => (
        <li key={row.Id}>
          <AlarmLevel of={row} />
          <span className="lines-main">
            <Link to={`/alarmManagement/alarmInfo?AlmNo=${encodeURIComponent(row.AlmNo)}`}>
              <strong>{row.RuleName}</strong>
            </Link>{' '}
            <span className="soft">{String(row.DeviceName ?? row.GatewayName ?? '')}</span>
          </span>
          <span className="lines-value figures">{row.AlarmDesc}</span>
          <span className="lines-age soft">
            <Ago time={row.StartTime} />
          </span>
        </li>
      ))}
    </ul>
  )
}
