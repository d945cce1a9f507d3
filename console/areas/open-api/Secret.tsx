import { Alert, Button, Modal, Typography } from 'antd'
import { useWords } from '../../words/words.ts'

type Props = { of: { ApiName: string; AccessKey: string; Secret: string }; close: () => void }

/** The two halves of a program's key; the second is shown once. */
export const Secret = ({ of, close }: Props) => {
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
      title={t('api.secretTitle', { title: of.ApiName })}
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
          {half(t('apiCredential.AccessKey'), of.AccessKey)}
          {half(t('api.secret'), of.Secret)}
        </dl>
      </div>
    </Modal>
  )
}
