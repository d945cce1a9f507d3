import { Alert, App, Modal, Skeleton } from 'antd'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type ConfigVersion, configVersionCalls } from '../contract.ts'
import { Differences } from './Differences.tsx'

/** Resets a gateway's channels, devices and points to a version, after a preview of the changes. */
const ResetDialog = ({ row, close }: { row: ConfigVersion; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const body = { Id: row.GatewayId, ConfigVersion: row.Version }
  const preview = useCall(configVersionCalls.reset, {
    body: { ...body, Preview: true },
    of: ['point', 'device', 'netProtocol', 'serialProtocol'],
  })
  const reset = useCommand(configVersionCalls.reset, ['gateway', 'point', 'device', 'netProtocol', 'serialProtocol'], {
    meta: { quiet: true },
  })
  const { data } = preview
  const works = data !== undefined && data.Added + data.Removed + data.Changed > 0
  const onSuccess = () => {
    message.success(t('version.resetDone', { version: row.Version }))
    close()
  }
  return (
    <Modal
      open
      width={760}
      title={t('version.resetTitle', { version: row.Version })}
      okText={t('version.reset')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, disabled: !works }}
      confirmLoading={reset.isPending}
      onOk={() => reset.mutate({ body }, { onSuccess })}
      onCancel={close}
    >
      <div className="stack">
        {reset.error && <Failure fault={reset.error} />}
        {preview.error && !data && <Failure fault={preview.error} retry={() => preview.refetch()} />}
        {works && <Alert type="warning" showIcon title={t('version.resetText')} />}
        {data ? <Differences of={data} none={t('version.resetNothing')} /> : !preview.error && <Skeleton active />}
      </div>
    </Modal>
  )
}
export default ResetDialog
