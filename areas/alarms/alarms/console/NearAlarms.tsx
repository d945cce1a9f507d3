import { Link } from 'react-router'
import { useRows } from '../../../../console/kernel/api.ts'
import { Moment } from '../../../../console/words/moments.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type Condition, LogicOP } from '../../../../contract/call.ts'
import { alarmInfo } from '../contract.ts'
import { type Alarm, AlarmState } from './AlarmLevel.tsx'

/** Rows of each list. */
const most = 5
const path = '/alarmManagement/alarmInfo'
const are = (Field: string, Value: number): Condition => ({ Field, Value, LogicOP: LogicOP.equals })

/** Identifies earlier occurrences: by rule and device, by point, or by gateway. */
const sameAs = (a: Alarm): Condition[] => {
  if (a.AlmRuleId) return [are('AlmRuleId', a.AlmRuleId), ...(a.DeviceId ? [are('DeviceId', a.DeviceId)] : [])]
  if (a.ParaId) return [are('ParaId', a.ParaId)]
  return a.GatewayId && a.GatewayFault ? [are('GatewayId', a.GatewayId), are('GatewayFault', a.GatewayFault)] : []
}
/** Identifies related alarms: on the same device, or on the same gateway. */
const nearTo = (a: Alarm): Condition[] => {
  const place = a.DeviceId ? [are('DeviceId', a.DeviceId)] : a.GatewayId ? [are('GatewayId', a.GatewayId)] : []
  return place.length ? [...place, are('IsActive', 1)] : []
}

type Props = { title: string; of: Alarm; conditions: Condition[]; query?: string }
const AlarmRows = ({ title, of: alarm, conditions, query = '' }: Props) => {
  const QueryInfo = { RelOP: 1 as const, QueryConditions: conditions }
  // Fetches one more row, because the alarm itself may be among them.
  const { data } = useRows(alarmInfo, { PageIndex: 1, PageSize: most + 1, QueryInfo }, { enabled: conditions.length > 0 })
  const rows = ((data?.Items ?? []) as Alarm[]).filter(({ Id }) => Id !== alarm.Id).slice(0, most)
  if (!conditions.length || !rows.length) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className="alarm-near">
        {rows.map((row) => (
          <li key={row.Id}>
            <Link to={`${path}?${query}alarm=${row.Id}`}>{row.RuleName}</Link> <AlarmState of={row} />{' '}
            <span className="figures">{row.AlarmDesc}</span>
            <span className="soft">
              <Moment time={row.StartTime} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Earlier occurrences of an alarm, and other active alarms nearby. */
export const NearAlarms = ({ of: alarm }: { of: Alarm }) => {
  const t = useWords()
  const same = sameAs(alarm)
  const before = { Field: 'StartTime', Value: alarm.StartTime, LogicOP: LogicOP.dateTo }
  return (
    <>
      <AlarmRows title={t('alarm.earlier')} of={alarm} conditions={same.length ? [...same, before] : []} query="view=history&" />
      <AlarmRows title={t('alarm.related')} of={alarm} conditions={nearTo(alarm)} />
    </>
  )
}
