import { Button } from 'antd'
import type { Action } from '../../../../console/kernel/RowActions.tsx'
import { Ago } from '../../../../console/words/moments.tsx'
import { type Alarm, AlarmLevel, AlarmState } from './AlarmLevel.tsx'

type Props = { of: Alarm; open: () => void; actions: Action[] }

/** An alarm on a phone: severity, name, value, limit, place and age, with one large button. */
export const AlarmCard = ({ of: alarm, open, actions }: Props) => {
  const acknowledge = actions.find(({ key }) => key === 'ack')
  return (
    <div className="alarm-card">
      <button type="button" className="alarm-card-open" onClick={open}>
        <span className="alarm-card-name">
          <AlarmLevel of={alarm} /> {alarm.IsActive && !alarm.AckStatus ? <strong>{alarm.RuleName}</strong> : alarm.RuleName}
        </span>
        <span className="figures">{alarm.AlarmDesc}</span>
        <span className="soft">
          {String(alarm.DeviceName ?? alarm.GatewayName ?? alarm.ProjectName ?? '')} · <Ago time={alarm.StartTime} /> ·{' '}
          <AlarmState of={alarm} />
        </span>
      </button>
      {acknowledge && (
        <Button block type="primary" icon={acknowledge.icon} onClick={acknowledge.run}>
          {acknowledge.label}
        </Button>
      )}
    </div>
  )
}
