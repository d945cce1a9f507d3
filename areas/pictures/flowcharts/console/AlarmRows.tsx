import { AimOutlined, CheckOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCommand } from '../../../../console/kernel/api.ts'
import { useNow } from '../../../../console/live/clock.ts'
import { useMay } from '../../../../console/session/session.ts'
import { Level } from '../../../../console/theme/State.tsx'
import { ageText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { alarmCalls } from '../../../alarms/alarms/contract.ts'
import type { AlarmRow } from '../contract.ts'

type Props = { rows: readonly AlarmRow[]; lead?: (row: AlarmRow) => void }
/** Active alarms, each with links to its place in the picture and to its details. */
const AlarmRows = ({ rows, lead }: Props) => {
  const t = useWords()
  const now = useNow()
  const [seesAlarms, acknowledges] = [useMay('m10201'), useMay('m10201.acknowledge')]
  const acknowledge = useCommand(alarmCalls.acknowledge, ['alarmInfo', 'flowchart'])
  return (
    <ul className="picture-alarms" aria-label={t('pictures.alarms')}>
      {rows.map((row) => {
        const { Id, Level: level, RuleName, DeviceName, AlarmDesc, Start, Unacknowledged, Shelved, ParaId } = row
        return (
          <li key={Id}>
            <Level is={Shelved ? 0 : level}>{t(`alarmInfo.AlarmLevel.${level}`)}</Level>
            <span className="picture-alarm-text">
              {seesAlarms ? <Link to={`/alarmManagement/alarmInfo?alarm=${Id}`}>{RuleName}</Link> : <strong>{RuleName}</strong>}
              <small className="soft">
                {[DeviceName, AlarmDesc, ageText(Math.max(0, now - Start), language())].filter(Boolean).join(' · ')}
              </small>
            </span>
            {lead && ParaId !== null && (
              <Button
                type="text"
                size="small"
                icon={<AimOutlined />}
                aria-label={t('pictures.show', { name: RuleName })}
                onClick={() => lead(row)}
              />
            )}
            {acknowledges && Unacknowledged && (
              <Button
                type="text"
                size="small"
                icon={<CheckOutlined />}
                aria-label={t('pictures.ack', { name: RuleName })}
                title={t('button.acknowledge')}
                loading={acknowledge.isPending}
                onClick={() => acknowledge.mutate({ body: { Ids: [Id] } })}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
export default AlarmRows
