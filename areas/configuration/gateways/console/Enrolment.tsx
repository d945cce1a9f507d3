import { Alert, Button, Modal, Typography } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { gatewayCalls } from '../contract.ts'

type Key = Answer<typeof gatewayCalls.resetKey>

// The settings of a soft gateway that starts on its own.
const edgeCommand = ({ SN, Key: key, Host, Port }: Key) => `EDGE_SERVER=mqtt://${Host}:${Port} EDGE_SN=${SN} EDGE_KEY=${key} npm run edge`

const Copied = ({ label, text, copy = text }: { label: string; text: string; copy?: string }) => (
  <div>
    <dt>{label}</dt>
    <dd className="mono">
      <Typography.Text copyable={{ text: copy }}>{text}</Typography.Text>
    </dd>
  </div>
)

type Props = { row: { Id: number }; fresh?: boolean; close: () => void }

/**
 * The gateway's key and the connection settings. The dialog creates the key and shows it once: immediately for a new gateway,
 * after a confirmation for one that has a key, since the old key stops working.
 */
const Enrolment = ({ row: { Id }, fresh = false, close }: Props) => {
  const t = useWords()
  const reset = useCommand(gatewayCalls.resetKey, ['gateway'], { meta: { quiet: true } })
  const [key, setKey] = useState<Key>()
  const asked = useRef(false)
  const { mutate } = reset
  const make = useCallback(() => mutate({ body: { Id } }, { onSuccess: setKey }), [mutate, Id])
  useEffect(() => {
    if (!fresh || asked.current) return
    asked.current = true
    make()
  }, [fresh, make])

  return (
    <Modal
      open
      width={640}
      title={t(key || fresh ? 'enrolment.title' : 'enrolment.resetTitle')}
      onCancel={close}
      mask={{ closable: false }}
      footer={
        key ? (
          <Button type="primary" onClick={close}>
            {t('enrolment.kept')}
          </Button>
        ) : (
          <>
            <Button onClick={close}>{t('cancel')}</Button>
            {!fresh && (
              <Button danger type="primary" loading={reset.isPending} onClick={make}>
                {t('button.resetKey')}
              </Button>
            )}
          </>
        )
      }
    >
      {reset.error && <Failure fault={reset.error} retry={fresh ? make : undefined} />}
      {!key && !fresh && <p>{t('enrolment.resetText')}</p>}
      {key && (
        <div className="stack">
          <Alert type="warning" showIcon title={t('enrolment.once')} />
          <dl className="facts facts-one">
            <Copied label={t('gateway.SN')} text={key.SN} />
            <Copied label={t('enrolment.key')} text={key.Key} />
          </dl>
          <div>
            <h2>{t('enrolment.soft')}</h2>
            <p className="soft">{t('enrolment.softText')}</p>
            <Typography.Paragraph className="code" copyable={{ text: edgeCommand(key) }}>
              {edgeCommand(key)}
            </Typography.Paragraph>
          </div>
          <div>
            <h2>{t('enrolment.mqtt')}</h2>
            <p className="soft">{t('enrolment.mqttText')}</p>
            <dl className="facts facts-one">
              <Copied label={t('enrolment.server')} text={`${key.Host}:${key.Port}`} />
              <Copied label={t('enrolment.clientId')} text={key.SN} />
              <Copied label={t('enrolment.user')} text={key.SN} />
              <Copied label={t('enrolment.password')} text={t('enrolment.theKey')} copy={key.Key} />
              <Copied label={t('enrolment.topics')} text={`iot/v1/${key.SN}/up/… · down/…`} />
            </dl>
          </div>
        </div>
      )}
    </Modal>
  )
}
export default Enrolment

/** For a gateway that has just been added. */
export const FirstKey = (props: Omit<Props, 'fresh'>) => <Enrolment {...props} fresh />
