import { Form, Input } from 'antd'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type mtnUpKeepOrder, upkeepCalls } from '../contract.ts'

/** Why nobody will do this order. */
const CancelDialog = ({ order, close }: { order: Shown<typeof mtnUpKeepOrder>; close: () => void }) => {
  const t = useWords()
  const cancel = useCommand(upkeepCalls.cancel, ['mtnUpKeepOrder'], { meta: { quiet: true } })
  return (
    <FormDialog<{ Desc: string }>
      title={t('upkeep.cancelTitle', { title: order.OrderNo })}
      okText={t('upkeep.cancel')}
      cancelText={t('close')}
      sending={cancel}
      submit={({ Desc }) => cancel.mutate({ body: { OrderId: order.Id, Desc } }, { onSuccess: close })}
      close={close}
    >
      <Form.Item name="Desc" label={t('upkeep.reason')} rules={[{ required: true, whitespace: true }]}>
        <Input.TextArea rows={3} maxLength={500} />
      </Form.Item>
    </FormDialog>
  )
}
export default CancelDialog
