import { Alert, App, Button, Input, Modal, Table } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { Differences } from '../../config-versions/console/Differences.tsx'
import { type Gateway, gatewayCalls } from '../../gateways/contract.ts'
import { useUnpushed } from './useUnpushed.ts'

/** One error of the pre-check or of the gateway. */
type RowFault = { Row?: number; ParaName?: string; DeviceId?: number; DeviceName?: string; Field?: string; Reason?: string }

/** With `now`, starts the push immediately and closes once the gateway accepts it. */
type Props = { row: Pick<Gateway, 'Id' | 'GatewayName'>; now?: boolean; close: () => void }

/** Pushes the configuration: previews it, then shows the result with an error for each refused row. */
const PushDialog = ({ row: gateway, now = false, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const push = useCommand(gatewayCalls.push, ['gateway', 'command'], { meta: { quiet: true } })
  const { mutateAsync } = push
  const unpushed = useUnpushed(gateway.Id)
  const [note, setNote] = useState('')
  // The screen may close the dialog before the response arrives, as soon as the gateway is in sync.
  const send = useCallback(
    () =>
      mutateAsync({ body: { GatewayId: gateway.Id, ...(note.trim() ? { Note: note.trim() } : {}) } }).then(
        ({ Code }) => {
          if (Code !== 0 || !now) return
          message.success(t('push.done'))
          close()
        },
        () => undefined,
      ),
    [mutateAsync, gateway.Id, note, now, message, t, close],
  )
  const begun = useRef(false)
  useEffect(() => {
    if (!now || begun.current) return
    begun.current = true
    send()
  }, [now, send])
  const reply = push.data
  const done = reply?.Code === 0
  const faults = (reply?.Detail ?? push.error?.details.Rows ?? []) as RowFault[]
  const field = (name?: string) => (name && hasWords(`point.${name}`) ? t(`point.${name}`) : (name ?? ''))
  return (
    <Modal
      open
      width={faults.length || unpushed?.Rows.length ? 760 : 520}
      title={t('push.title', { name: gateway.GatewayName })}
      onCancel={close}
      footer={
        <>
          <Button onClick={close}>{t(reply ? 'close' : 'cancel')}</Button>
          {!done && (
            <Button type="primary" loading={push.isPending} onClick={send}>
              {t(reply || push.error ? 'push.again' : 'button.push')}
            </Button>
          )}
        </>
      }
    >
      <div className="stack" aria-live="polite">
        {!reply && !push.error && <p>{t(push.isPending || now ? 'push.waiting' : 'push.text')}</p>}
        {!reply && !now && unpushed && <Differences of={unpushed} none={t('push.nothing')} />}
        {!reply && !now && (
          <Input
            value={note}
            maxLength={200}
            placeholder={t('push.note')}
            aria-label={t('push.note')}
            onChange={(e) => setNote(e.target.value)}
          />
        )}
        {push.error && !faults.length && <Failure fault={push.error} />}
        {reply && (
          <Alert
            type={done ? 'info' : 'error'}
            showIcon
            title={done ? t('push.done') : reply.Msg || t('push.failed', { code: reply.Code })}
          />
        )}
        {faults.length > 0 && (
          <Table<RowFault>
            size="small"
            rowKey={(f) => `${f.Row}-${f.ParaName}-${f.Field}-${f.Reason}`}
            dataSource={faults}
            pagination={{ pageSize: 10, hideOnSinglePage: true }}
            scroll={{ x: 'max-content' }}
            columns={[
              { key: 'row', title: t('sheet.row'), align: 'right', render: (_, f) => <span className="figures">{f.Row || ''}</span> },
              { key: 'device', title: t('device'), dataIndex: 'DeviceName' },
              {
                key: 'point',
                title: t('point'),
                render: (_, f) =>
                  f.DeviceId ? (
                    <Link to={`/projectManagement/pointManagement?DeviceId=${f.DeviceId}&q=${encodeURIComponent(f.ParaName ?? '')}`}>
                      {f.ParaName}
                    </Link>
                  ) : (
                    f.ParaName
                  ),
              },
              { key: 'field', title: t('sheet.field'), render: (_, f) => field(f.Field) },
              { key: 'reason', title: t('sheet.reason'), dataIndex: 'Reason' },
            ]}
          />
        )}
      </div>
    </Modal>
  )
}
export default PushDialog
