import { Form, Input } from 'antd'
import { useState } from 'react'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { clientKey } from '../../../../console/kernel/clientKey.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { orderCalls } from '../../orders/contract.ts'
import type { mtnUpKeepOrder } from '../contract.ts'

/** Comments on an order, whatever its state. */
const CommentDialog = ({ of, order, close }: { of: typeof mtnUpKeepOrder; order: Shown<typeof mtnUpKeepOrder>; close: () => void }) => {
  const t = useWords()
  const [ClientKey] = useState(clientKey)
  const comment = useCommand(orderCalls.comment, [of.name], { meta: { quiet: true } })
  return (
    <FormDialog<{ Desc: string }>
      title={`${t('order.step.comment')}: ${order.Title}`}
      okText={t('order.step.comment')}
      sending={comment}
      submit={({ Desc }) => comment.mutate({ body: { OrderId: order.Id, Desc, ClientKey } }, { onSuccess: close })}
      close={close}
    >
      <Form.Item name="Desc" label={t('order.note')} rules={[{ required: true, whitespace: true, message: t('fault.field.required') }]}>
        <Input.TextArea rows={3} maxLength={500} />
      </Form.Item>
    </FormDialog>
  )
}
export default CommentDialog
