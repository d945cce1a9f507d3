import { App, Button, Modal, Skeleton, Table } from 'antd'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { none } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type DataParse, dataParse, dataParseCalls, type ParseVersion } from '../contract.ts'

/** Earlier mappings. Restoring one makes it the next version. */
const VersionsDialog = ({ of, isDirty, close }: { of: DataParse; isDirty: boolean; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const mayEdit = useMay(`${dataParse.permission}.edit`)
  const { data, error, refetch } = useCall(dataParseCalls.versions, { query: { Id: of.Id }, of: [dataParse.name] })
  const rollback = useCommand(dataParseCalls.rollback, [dataParse.name], { meta: { quiet: true } })
  const restore = (Version: number) =>
    rollback.mutate(
      { body: { Id: of.Id, Version } },
      {
        onSuccess: (row) => {
          message.success(t('dataParse.restored', { from: Version, version: row.Version }))
          close()
        },
      },
    )
  return (
    <Modal open width={760} title={t('dataParse.versions')} footer={null} onCancel={close}>
      <div className="stack">
        {isDirty && mayEdit && <p className="soft">{t('dataParse.saveFirst')}</p>}
        {rollback.error && <Failure fault={rollback.error} />}
        {error && !data && <Failure fault={error} retry={() => refetch()} />}
        {!data && !error && <Skeleton active />}
        {data && (
          <Table<ParseVersion>
            size="small"
            rowKey="Version"
            dataSource={data}
            pagination={{ pageSize: 10, hideOnSinglePage: true }}
            scroll={{ x: 'max-content' }}
            columns={[
              { key: 'version', title: t('dataParse.Version'), align: 'right', dataIndex: 'Version' },
              { key: 'time', title: t('dataParse.versionTime'), render: (_, v) => <span className="figures">{v.CreateTime}</span> },
              { key: 'user', title: t('dataParse.versionUser'), render: (_, v) => v.UserName ?? none },
              { key: 'hash', title: t('dataParse.Hash'), render: (_, v) => <code title={v.Hash}>{v.Hash.slice(0, 12)}</code> },
              {
                key: 'restore',
                align: 'right',
                render: (_, v) =>
                  mayEdit &&
                  v.Hash !== of.Hash && (
                    <Button size="small" disabled={isDirty} loading={rollback.isPending} onClick={() => restore(v.Version)}>
                      {t('dataParse.restore')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </div>
    </Modal>
  )
}
export default VersionsDialog
