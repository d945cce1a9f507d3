import { App, Button, Modal, Table } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type BoardVersion, mostVersions, visualBoard, visualBoardCalls } from '../contract.ts'

const size = 10
/** Earlier versions of a dashboard, to restore. */
const BoardVersions = ({ id, title, close }: { id: number; title: string; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [index, setIndex] = useState(1)
  const query = { Id: id, PageIndex: index, PageSize: size }
  const { data, error, refetch } = useCall(visualBoardCalls.history, { query, of: [visualBoard.name] })
  const restore = useCommand(visualBoardCalls.restore, [visualBoard.name])
  const ask = (version: number) =>
    confirm({
      title: t('board.restoreAsk', { version }),
      content: t('board.restoreText'),
      okText: t('board.restore'),
      danger: false,
      run: async () => {
        await restore.mutateAsync({ body: { Id: id, Version: version } })
        message.success(t('board.restored', { version }))
        close()
      },
    })
  const changes = ({ Added, Removed, Changed }: BoardVersion) =>
    (
      [
        ['board.added', Added],
        ['board.removed', Removed],
        ['board.changed', Changed],
      ] as const
    )
      .flatMap(([word, count]) => (count ? [t(word, { count })] : []))
      .join(', ')
  return (
    <Modal open title={t('board.versionsOf', { name: title })} footer={null} width={760} onCancel={close}>
      <p className="soft form-summary">{t('board.versionsText', { most: mostVersions })}</p>
      {error ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : (
        <Table<BoardVersion>
          rowKey="Version"
          size="small"
          loading={!data}
          dataSource={(data?.Items ?? []) as BoardVersion[]}
          scroll={{ x: 'max-content' }}
          locale={{ emptyText: t('board.noVersions') }}
          pagination={{ current: index, pageSize: size, total: data?.TotalCount ?? 0, hideOnSinglePage: true, onChange: setIndex }}
          columns={[
            { key: 'version', title: t('board.version'), dataIndex: 'Version', align: 'right' },
            { key: 'time', title: t('board.savedAt'), dataIndex: 'SaveTime' },
            { key: 'who', title: t('board.savedBy'), dataIndex: 'UserName' },
            { key: 'widgets', title: t('board.widgets'), dataIndex: 'Widgets', align: 'right' },
            { key: 'changes', title: t('board.changes'), render: (_, row) => changes(row) },
            {
              key: 'acts',
              fixed: 'right',
              title: <span className="sr-only">{t('list.actions')}</span>,
              render: (_, row, i) =>
                (index > 1 || i > 0) && (
                  <Button size="small" onClick={() => ask(row.Version)}>
                    {t('board.restore')}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Modal>
  )
}
export default BoardVersions
