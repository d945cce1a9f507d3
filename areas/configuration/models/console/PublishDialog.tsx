import { App, Modal, Table } from 'antd'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Details } from '../../../../contract/call.ts'
import { modelCalls, modelPara, proModel } from '../contract.ts'
import { useModel } from './useModel.ts'

type Wrong = Required<Details>['Rows'][number]
type Props = { row: Shown<typeof proModel>; close: () => void }

/** Publishes the points of a model as its next version, or lists the faulty points. */
const PublishDialog = ({ row, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const publish = useCommand(modelCalls.publish, [proModel.name], { meta: { quiet: true } })
  const wrong = publish.error?.details.Rows ?? []
  const { Id, Version, Edits } = useModel(row.Id).data ?? row
  const send = () =>
    publish.mutate(
      { body: { Id, Version, Edits } },
      {
        onSuccess: (done) => {
          message.success(t('model.published', { version: done.Version }))
          close()
        },
      },
    )
  return (
    <Modal
      open
      width={wrong.length ? 760 : 520}
      title={t('model.publishAsk', { name: row.ModelName, version: Version + 1 })}
      okText={t('model.publish')}
      cancelText={t('cancel')}
      confirmLoading={publish.isPending}
      onOk={send}
      onCancel={close}
    >
      <div className="stack" aria-live="polite">
        <p>
          {t('model.state.draft', { version: Version, count: Edits })}. {t('model.publishText')}
        </p>
        {publish.error && <Failure fault={publish.error} />}
        {wrong.length > 0 && (
          <Table<Wrong>
            size="small"
            rowKey={(f) => `${f.Row}-${f.Field}-${f.Message}`}
            dataSource={wrong}
            pagination={{ pageSize: 10, hideOnSinglePage: true }}
            scroll={{ x: 'max-content' }}
            columns={[
              { key: 'row', title: t('sheet.row'), align: 'right', render: (_, f) => <span className="figures">{f.Row}</span> },
              { key: 'point', title: t(modelPara.name), dataIndex: 'Value' },
              { key: 'field', title: t('sheet.field'), render: (_, f) => t(`modelPara.${f.Field}`) },
              { key: 'reason', title: t('sheet.reason'), dataIndex: 'Message' },
            ]}
          />
        )}
      </div>
    </Modal>
  )
}
export default PublishDialog
