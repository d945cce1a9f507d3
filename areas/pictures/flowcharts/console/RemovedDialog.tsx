import { App, Button, Modal, Table } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import type { Fault } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import { flowchart, flowchartCalls, type RemovedChart, removedDays } from '../contract.ts'

const size = 10
/** Removed pictures, which can be restored for a while. */
const RemovedDialog = ({ tenant, close }: { tenant: number | undefined; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [index, setIndex] = useState(1)
  const query = { PageIndex: index, PageSize: size, ...(tenant ? { EnterpriseId: tenant } : {}) }
  const { data, error, refetch } = useCall(flowchartCalls.removed, { query, of: [flowchart.name] })
  const undo = useCommand(flowchartCalls.undoRemove, [flowchart.name], { meta: { quiet: true } })
  const restore = ({ Id, FlowchartName }: RemovedChart) =>
    undo.mutate(
      { body: { Id } },
      {
        onSuccess: () => message.success(t('pictures.madeAgain', { name: FlowchartName })),
        onError: ({ details, message: text }: Fault) =>
          message.error(details.Fields ? t('pictures.nameTaken', { name: FlowchartName }) : text),
      },
    )
  return (
    <Modal open title={t('pictures.removed')} footer={null} width={720} onCancel={close}>
      <p className="soft form-summary">{t('pictures.removedText', { days: removedDays })}</p>
      {error ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : (
        <Table<RemovedChart>
          rowKey="Id"
          size="small"
          loading={!data}
          dataSource={(data?.Items ?? []) as RemovedChart[]}
          scroll={{ x: 'max-content' }}
          locale={{ emptyText: t('pictures.noneRemoved') }}
          pagination={{ current: index, pageSize: size, total: data?.TotalCount ?? 0, hideOnSinglePage: true, onChange: setIndex }}
          columns={[
            { key: 'name', title: t('flowchart.FlowchartName'), dataIndex: 'FlowchartName' },
            { key: 'project', title: t('flowchart.ProjectId'), dataIndex: 'ProjectName' },
            { key: 'time', title: t('pictures.removedAt'), dataIndex: 'RemoveTime' },
            {
              key: 'acts',
              fixed: 'right',
              title: <span className="sr-only">{t('list.actions')}</span>,
              render: (_, row) => (
                <Button size="small" loading={undo.isPending} onClick={() => restore(row)}>
                  {t('pictures.makeAgain')}
                </Button>
              ),
            },
          ]}
        />
      )}
    </Modal>
  )
}
export default RemovedDialog
