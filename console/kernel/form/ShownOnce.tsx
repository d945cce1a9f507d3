import { Alert, Button, Modal, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'

type Fact = { label: string; value: string; testId?: string }

/** Shows a secret once, for people to copy. */
export const ShownOnce = ({
  title,
  warning,
  facts,
  note,
  close,
}: {
  title: string
  warning: string
  facts: readonly Fact[]
  note?: ReactNode
  close: () => void
}) => {
  const t = useWords()
  return (
    <Modal
      open
      title={title}
      onCancel={close}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={close}>
          {t('oneTime.kept')}
        </Button>
      }
    >
      <div className="stack">
        <Alert type="warning" showIcon title={warning} />
        <dl className="facts facts-one">
          {facts.map(({ label, value, testId }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="mono" data-testid={testId}>
                <Typography.Text copyable={{ text: value }}>{value}</Typography.Text>
              </dd>
            </div>
          ))}
        </dl>
        {note}
      </div>
    </Modal>
  )
}
