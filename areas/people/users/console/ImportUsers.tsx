import { InboxOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Modal, Table, Upload } from 'antd'
import { useState } from 'react'
import { invalidate } from '../../../../console/kernel/api.ts'
import { download, type Fault, request, saveCsv } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { userCalls } from '../contract.ts'

type Imported = Answer<typeof userCalls.import>
type Props = { tenant: number | undefined; close: () => void }

/** Imports accounts from a sheet, all or none; their initial passwords are shown once. */
export const ImportUsers = ({ tenant, close }: Props) => {
  const t = useWords()
  const client = useQueryClient()
  const [done, setDone] = useState<Imported>()
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const send = (file: File) => {
    const form = new FormData()
    form.append('file', file)
    setBusy(true)
    setFault(undefined)
    request<Imported>('POST', `${userCalls.import.path}${tenant ? `?EnterpriseId=${tenant}` : ''}`, form)
      .then((answer) => {
        setDone(answer)
        return invalidate(client, ['user'])
      })
      .catch(setFault)
      .finally(() => setBusy(false))
    return false
  }
  const save = () => {
    saveCsv([[t('user.UserNO'), t('oneTime.password')], ...done!.Accounts.map((a) => [a.UserNO, a.OneTimePwd])], 'accounts.csv')
  }
  return (
    <Modal
      open
      title={t('user.importTitle')}
      onCancel={close}
      mask={{ closable: !done }}
      footer={
        done ? (
          <>
            <Button onClick={save}>{t('user.savePasswords')}</Button>
            <Button type="primary" onClick={close}>
              {t('oneTime.kept')}
            </Button>
          </>
        ) : (
          <Button onClick={() => download(userCalls.template.path, 'users.xlsx')}>{t('user.template')}</Button>
        )
      }
    >
      <div className="stack">
        {fault && (
          <Alert
            type="error"
            showIcon
            role="alert"
            title={fault.message}
            description={
              fault.details.Rows && (
                <ul>
                  {fault.details.Rows.slice(0, 20).map(({ Row, Field, Message }) => (
                    <li key={`${Row} ${Field}`}>{t('user.importRow', { row: Row, field: t(`user.${Field}`), message: Message })}</li>
                  ))}
                </ul>
              )
            }
          />
        )}
        {done ? (
          <>
            <Alert type="warning" showIcon title={t('oneTime.once')} />
            <Table
              rowKey="UserNO"
              size="small"
              dataSource={done.Accounts}
              pagination={{ pageSize: 10, hideOnSinglePage: true }}
              columns={[
                { title: t('user.UserNO'), dataIndex: 'UserNO' },
                { title: t('oneTime.password'), dataIndex: 'OneTimePwd', className: 'mono' },
              ]}
            />
          </>
        ) : (
          <Upload.Dragger accept=".xlsx" maxCount={1} showUploadList={false} disabled={busy} beforeUpload={send}>
            <p>
              <InboxOutlined style={{ fontSize: 32 }} />
            </p>
            <p>{t('user.importDrop')}</p>
          </Upload.Dragger>
        )}
      </div>
    </Modal>
  )
}
