import { DeleteOutlined, EditOutlined, NotificationOutlined, TeamOutlined } from '@ant-design/icons'
import { Button, Modal, Table } from 'antd'
import { useState } from 'react'
import { useCall, useRemove, useRows } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { type Action, RowActions } from '../../../../console/kernel/RowActions.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { useWords } from '../../../../console/words/words.ts'
import { notice, noticeCalls } from '../contract.ts'
import { type Announcement, PublishForm } from './PublishForm.tsx'

const Readers = ({ of, close }: { of: Announcement; close: () => void }) => {
  const t = useWords()
  const { data, error } = useCall(noticeCalls.readers, { query: { Id: of.Id }, of: ['notice'] })
  return (
    <Modal open title={of.PushTitle} footer={null} onCancel={close}>
      {error ? (
        <Failure fault={error} />
      ) : (
        <Table
          rowKey="Id"
          size="small"
          loading={!data}
          dataSource={data?.Items}
          pagination={{ pageSize: 10, hideOnSinglePage: true }}
          columns={[
            { key: 'who', title: t('notice.UserIds'), render: (_, r) => `${r.UserName} (${r.UserNO})` },
            { key: 'read', title: t('notices.read'), render: (_, r) => r.ReadTime ?? t('notices.unread') },
          ]}
        />
      )}
    </Modal>
  )
}

/** The tenant's announcements, for their authors. */
const Announcements = () => {
  const t = useWords()
  const confirm = useConfirm()
  const [page, setPage] = useState(1)
  const { data, error, refetch, isFetching } = useRows(notice, { PageIndex: page, PageSize: 20 })
  const remove = useRemove(notice)
  const [add, edit, drop] = [useMay(`${notice.permission}.add`), useMay(`${notice.permission}.edit`), useMay(`${notice.permission}.remove`)]
  const [editing, setEditing] = useState<Announcement | 'new'>()
  const [reading, setReading] = useState<Announcement>()
  const actionsOf = (row: Announcement): Action[] => [
    { key: 'readers', label: t('notices.readers'), icon: <TeamOutlined />, run: () => setReading(row) },
    ...(edit ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined />, run: () => setEditing(row) }] : []),
    ...(drop
      ? [
          {
            key: 'remove',
            label: t('button.remove'),
            icon: <DeleteOutlined />,
            run: () =>
              confirm({
                title: t('notices.removeOne', { title: row.PushTitle }),
                run: () => remove.mutateAsync([row.Id]),
              }),
          },
        ]
      : []),
  ]
  return (
    <Page
      title={t('menu.m10422')}
      actions={
        add && (
          <Button type="primary" icon={<NotificationOutlined />} onClick={() => setEditing('new')}>
            {t('notices.publish')}
          </Button>
        )
      }
    >
      {error && !data ? (
        <Failure fault={error} retry={() => void refetch()} />
      ) : (
        <Table<Announcement>
          rowKey="Id"
          size="small"
          loading={{ spinning: isFetching && !data, delay: 150 }}
          dataSource={data?.Items as Announcement[] | undefined}
          scroll={{ x: 'max-content' }}
          locale={{ emptyText: data ? <EmptyList text={t('notices.empty.announcements')} /> : ' ' }}
          pagination={{ current: page, pageSize: 20, total: data?.TotalCount ?? 0, hideOnSinglePage: true, onChange: setPage }}
          columns={[
            { key: 'PushTitle', title: t('notice.PushTitle'), dataIndex: 'PushTitle' },
            { key: 'CreateTime', title: t('notices.written'), dataIndex: 'CreateTime', className: 'figures' },
            { key: 'PublishTime', title: t('notice.PublishTime'), dataIndex: 'PublishTime', className: 'figures' },
            { key: 'ExpireTime', title: t('notice.ExpireTime'), dataIndex: 'ExpireTime', className: 'figures' },
            {
              key: 'actions',
              fixed: 'right',
              width: 104,
              align: 'right',
              title: <span className="sr-only">{t('list.actions')}</span>,
              render: (_, row) => <RowActions actions={actionsOf(row)} title={row.PushTitle} />,
            },
          ]}
        />
      )}
      {editing && <PublishForm {...(editing === 'new' ? {} : { row: editing })} close={() => setEditing(undefined)} />}
      {reading && <Readers of={reading} close={() => setReading(undefined)} />}
    </Page>
  )
}
export default Announcements
