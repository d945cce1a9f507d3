import { Form, Input } from 'antd'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { mtnUpKeepOrder, planCalls } from '../contract.ts'

/** Cancels an order with a reason. */
type Props = { of: typeof mtnUpKeepOrder; calls: ReturnType<typeof planCalls>; order: Shown<typeof mtnUpKeepOrder>; close: () => void }
const CancelDialog = ({ of, calls, order, close }: Props) => {
  const t = useWords()
  const cancel = useCommand(calls.cancel, [of.name], { meta: { quiet: true } })
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
