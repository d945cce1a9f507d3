import { Alert, Button, Modal, Typography } from 'antd'
import { useWords } from '../../words/words.ts'

type Props = { of: string; accessKey?: string; secret: string; close: () => void }

/** The two halves of a program's key, or what signs webhooks; the secret is shown once. */
export const Secret = ({ of, accessKey, secret, close }: Props) => {
  const t = useWords()
  const half = (label: string, value: string) => (
    <div>
      <dt>{label}</dt>
      <dd className="mono">
        <Typography.Text copyable={{ text: value }}>{value}</Typography.Text>
      </dd>
    </div>
  )
  return (
    <Modal
      open
      title={t('api.secretTitle', { title: of })}
      onCancel={close}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={close}>
          {t('oneTime.kept')}
        </Button>
      }
    >
      <div className="stack">
        <Alert type="warning" showIcon title={t('api.once')} />
        <dl className="facts facts-one">
          {accessKey && half(t('apiCredential.AccessKey'), accessKey)}
          {half(t('api.secret'), secret)}
        </dl>
      </div>
    </Modal>
  )
}
