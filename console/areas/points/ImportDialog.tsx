import { InboxOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Modal, Table, Upload } from 'antd'
import { useState } from 'react'
import { pointCalls } from '../../../contract/areas/points.ts'
import type { Answer, Details } from '../../../contract/base/call.ts'
import { invalidate } from '../../resource/api.ts'
import { type Fault, queryString, request } from '../../session/request.ts'
import { hasWords, useWords } from '../../words/words.ts'

type RowFault = NonNullable<Details['Rows']>[number]
type Counts = Answer<typeof pointCalls.import>

/** Reads a sheet of points into a device, all or nothing; each fault names its row and column. */
export const ImportDialog = ({ deviceId, close }: { deviceId: number; close: () => void }) => {
  const t = useWords()
  const client = useQueryClient()
  const [offset, setOffset] = useState(false)
  const [busy, setBusy] = useState('')
  const [fault, setFault] = useState<Fault>()
  const [counts, setCounts] = useState<Counts>()
  const rows = fault?.details.Rows ?? []

  const send = async (file: File) => {
    setBusy(file.name)
    setFault(undefined)
    setCounts(undefined)
    try {
      const path = `${pointCalls.import.path}${queryString({ DeviceId: deviceId, OffsetOne: offset ? 1 : 0 })}`
      const form = new FormData()
      form.append('file', file)
      setCounts(await request<Counts>('POST', path, form))
      await invalidate(client, ['point'])
    } catch (error) {
      setFault(error as Fault)
    }
    setBusy('')
  }

  return (
    <Modal
      open
      width={rows.length ? 760 : 560}
      title={t('import.title')}
      onCancel={close}
      footer={
        <Button type={counts ? 'primary' : 'default'} onClick={close}>
          {t('close')}
        </Button>
      }
    >
      <div className="stack" aria-live="polite">
        <p className="soft">{t('import.text')}</p>
        <Checkbox checked={offset} onChange={(e) => setOffset(e.target.checked)}>
          {t('import.offset')}
        </Checkbox>
        <Upload.Dragger
          accept=".xlsx"
          showUploadList={false}
          disabled={busy !== ''}
          beforeUpload={(file) => {
            void send(file)
            return false
          }}
        >
          <p>
            <InboxOutlined style={{ fontSize: 28 }} />
          </p>
          <p>{busy ? t('import.reading', { name: busy }) : t('import.drop')}</p>
        </Upload.Dragger>
        {counts && (
          <Alert
            type="info"
            showIcon
            title={t('import.done', { added: counts.Added, changed: counts.Changed, unchanged: counts.Unchanged })}
          />
        )}
        {fault && <Alert type="error" showIcon role="alert" title={fault.message} />}
        {rows.length > 0 && (
          <Table<RowFault>
            size="small"
            rowKey={(row) => `${row.Row}-${row.Field}-${row.Message}`}
            dataSource={rows}
            pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
            columns={[
              { key: 'row', title: t('sheet.row'), align: 'right', width: 80, render: (_, r) => <span className="figures">{r.Row}</span> },
              { key: 'field', title: t('sheet.field'), render: (_, r) => (hasWords(`point.${r.Field}`) ? t(`point.${r.Field}`) : r.Field) },
              { key: 'message', title: t('sheet.reason'), dataIndex: 'Message' },
            ]}
          />
        )}
      </div>
    </Modal>
  )
}
