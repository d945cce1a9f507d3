import { Modal } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { Level } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmCalls } from '../../../alarms/alarms/contract.ts'
import type { AlarmRow } from '../contract.ts'

/** Confirms the acknowledgement of alarms, and lists them. */
const AckDialog = ({ rows, close }: { rows: readonly AlarmRow[]; close: () => void }) => {
  const t = useWords()
  const acknowledge = useCommand(alarmCalls.acknowledge, ['alarmInfo', 'flowchart'], { meta: { quiet: true } })
  return (
    <Modal
      open
      title={t('pictures.ackTitle')}
      okText={rows.length ? t('button.acknowledge') : t('close')}
      cancelText={t('cancel')}
      confirmLoading={acknowledge.isPending}
      onOk={() => (rows.length ? acknowledge.mutate({ body: { Ids: rows.map(({ Id }) => Id) } }, { onSuccess: close }) : close())}
      onCancel={close}
    >
      {rows.length ? (
        <ul className="picture-acks">
          {rows.map(({ Id, Level: level, RuleName, DeviceName }) => (
            <li key={Id}>
              <Level is={level}>{t(`alarmInfo.AlarmLevel.${level}`)}</Level> <strong>{RuleName}</strong>{' '}
              <span className="soft">{DeviceName}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p>{t('pictures.ackNone')}</p>
      )}
      {acknowledge.error && <Failure fault={acknowledge.error} />}
    </Modal>
  )
}
export default AckDialog
