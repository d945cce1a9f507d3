import { Alert, Button, InputNumber, Modal, Segmented } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { LiveValue } from '../../../../console/live/LiveCells.tsx'
import { isBool, valueText } from '../../../../console/live/valueText.ts'
import { useWords } from '../../../../console/words/words.ts'
import { isGone, type ParaInfo } from '../../../../contract/telemetry.ts'
import { pointCalls } from '../../../configuration/points/contract.ts'

/** Writes a value to the plant: enter, read what will happen, confirm; then what the gateway answered. */
export const WriteDialog = ({ point, close }: { point: ParaInfo; close: () => void }) => {
  const t = useWords()
  const write = useCommand(pointCalls.write, ['command'], { meta: { quiet: true } })
  const [value, setValue] = useState<number | null>(null)
  const [sure, setSure] = useState(false)
  const bool = isBool(point)
  const text = `${valueText(value, point, t)}${point.ParaUnitName ? ` ${point.ParaUnitName}` : ''}`
  const gone = isGone(point.DeviceStatus)
  const code = write.data?.Code
  const done = code === 0
  const send = () => value !== null && write.mutate({ body: { ParaId: point.ParaId, Value: value } }, { onSettled: () => setSure(false) })
  return (
    <Modal
      open
      title={t('write.title', { name: point.ParaName })}
      onCancel={close}
      footer={
        done ? (
          <Button key="done" type="primary" autoFocus onClick={close}>
            {t('close')}
          </Button>
        ) : sure ? (
          <>
            <Button onClick={() => setSure(false)}>{t('back')}</Button>
            <Button key="send" type="primary" autoFocus loading={write.isPending} disabled={gone} onClick={send}>
              {t('write.do', { value: text })}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={close}>{t('cancel')}</Button>
            <Button type="primary" disabled={value === null || gone} onClick={() => setSure(true)}>
              {t('next')}
            </Button>
          </>
        )
      }
    >
      <div className="stack" aria-live="polite">
        <dl className="facts">
          <div>
            <dt>{t('device')}</dt>
            <dd>{point.DeviceName}</dd>
          </div>
          <div>
            <dt>{t('write.now')}</dt>
            <dd>
              <LiveValue point={point} />
            </dd>
          </div>
        </dl>
        {!sure && !done && (
          <div className="stack-tight">
            <span>{t('write.new')}</span>
            {bool ? (
              <Segmented<number>
                options={[0, 1].map((v) => ({ value: v, label: valueText(v, point, t) }))}
                value={value ?? -1}
                onChange={setValue}
                aria-label={t('write.new')}
              />
            ) : (
              <InputNumber
                controls={false}
                changeOnWheel={false}
                suffix={point.ParaUnitName}
                value={value}
                onChange={setValue}
                onPressEnter={(event) => {
                  // The same keystroke must not press the newly focused button, which would write without confirmation.
                  event.preventDefault()
                  if (value !== null && !gone) setSure(true)
                }}
                style={{ width: '100%' }}
                aria-label={t('write.new')}
              />
            )}
          </div>
        )}
        {gone && !done && <Alert type="error" showIcon role="alert" title={t('write.deviceGone', { device: point.DeviceName })} />}
        {sure && (
          <Alert
            type="warning"
            showIcon
            title={t('write.sure', { value: text, name: point.ParaName, device: point.DeviceName })}
            description={t('write.consequence')}
          />
        )}
        {write.error && <Alert type="error" showIcon role="alert" title={write.error.message} />}
        {write.data && <Alert type={done ? 'info' : 'error'} showIcon title={done ? t('write.done', { value: text }) : write.data.Msg} />}
      </div>
    </Modal>
  )
}
