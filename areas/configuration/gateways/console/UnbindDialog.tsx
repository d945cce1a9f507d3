import { App, Modal } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type Gateway, gatewayCalls } from '../contract.ts'

/** Lists what unbinding removes and keeps, before the box leaves its gateway. */
const UnbindDialog = ({ row, close }: { row: Gateway; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const unbind = useCommand(gatewayCalls.unbind, ['gateway', 'gatewaySn', 'device'], { meta: { quiet: true } })
  const onSuccess = () => {
    message.success(t('gateway.unbind.done', { name: row.GatewayName }))
    close()
  }
  return (
    <Modal
      open
      title={t('gateway.unbind', { name: row.GatewayName })}
      okText={t('button.unbind')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true }}
      confirmLoading={unbind.isPending}
      onOk={() => unbind.mutate({ body: { Id: row.Id } }, { onSuccess })}
      onCancel={close}
    >
      <div className="stack">
        {unbind.error && <Failure fault={unbind.error} />}
        <ul>
          <li>{t('gateway.unbind.ends', { SN: row.SN ?? '' })}</li>
          <li>{t('gateway.unbind.stock')}</li>
          <li>{t('gateway.unbind.stays')}</li>
        </ul>
      </div>
    </Modal>
  )
}
export default UnbindDialog
