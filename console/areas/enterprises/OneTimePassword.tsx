import { Alert, Button, Modal, Typography } from 'antd'
import { useWords } from '../../words/words.ts'

/** An account and the password it begins with: shown once, and gone. */
export const OneTimePassword = ({ given, close }: { given: { UserNO: string; OneTimePwd: string }; close: () => void }) => {
  const t = useWords()
  return (
    <Modal
      open
      title={t('oneTime.title')}
      onCancel={close}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={close}>
          {t('oneTime.kept')}
        </Button>
      }
    >
      <div className="stack">
        <Alert type="warning" showIcon title={t('oneTime.once')} />
        <dl className="facts facts-one">
          <div>
            <dt>{t('user.UserNO')}</dt>
            <dd className="mono">{given.UserNO}</dd>
          </div>
          <div>
            <dt>{t('oneTime.password')}</dt>
            <dd className="mono" data-testid="one-time-password">
              <Typography.Text copyable={{ text: given.OneTimePwd }}>{given.OneTimePwd}</Typography.Text>
            </dd>
          </div>
        </dl>
      </div>
    </Modal>
  )
}
