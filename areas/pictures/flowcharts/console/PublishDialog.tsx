import { App, Input, Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { flowchart, flowchartCalls } from '../contract.ts'

type Props = {
  row: { Id: number; FlowchartName: string; Version: number }
  close: () => void
  done?: () => void
  /** Findings to review before publishing. */
  checks?: ReactNode
}
/** Publishes the draft as the next version, or lists the items that prevent it. */
const PublishDialog = ({ row, close, done, checks }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const [note, setNote] = useState('')
  const publish = useCommand(flowchartCalls.publish, [flowchart.name], { meta: { quiet: true } })
  const send = () =>
    publish.mutate(
      { body: { Id: row.Id, ...(note ? { Note: note } : {}) } },
      {
        onSuccess: ({ Version }) => {
          message.success(t('pictures.published', { version: Version }))
          done?.()
          close()
        },
      },
    )
  const wrong = Object.entries(publish.error?.details.Fields ?? {})
  return (
    <Modal
      open
      title={t('pictures.publishAsk', { name: row.FlowchartName, version: row.Version + 1 })}
      okText={t('pictures.publish')}
      cancelText={t('cancel')}
      confirmLoading={publish.isPending}
      onOk={send}
      onCancel={close}
    >
      <div className="stack" aria-live="polite">
        <p>{t('pictures.publishText')}</p>
        {checks}
        <Input
          aria-label={t('pictures.note')}
          placeholder={t('pictures.note')}
          maxLength={200}
          value={note}
          onChange={(e) => setNote(e.target.value)}
        />
        {publish.error && <Failure fault={publish.error} />}
        {wrong.length > 0 && (
          <ul>
            {wrong.map(([field, texts]) => (
              <li key={field}>
                {field.split('.')[1]}: {texts.join(' ')}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Modal>
  )
}
export default PublishDialog
