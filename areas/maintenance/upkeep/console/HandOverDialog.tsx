import { Form, Input, Select } from 'antd'
import { type Shown, useCall, useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { orderCalls } from '../../orders/contract.ts'
import type { mtnUpKeepOrder, planCalls } from '../contract.ts'

type Props = { of: typeof mtnUpKeepOrder; calls: ReturnType<typeof planCalls>; order: Shown<typeof mtnUpKeepOrder>; close: () => void }
/** Hands an order to a person with access to its project. */
const HandOverDialog = ({ of, calls, order, close }: Props) => {
  const t = useWords()
  const handOver = useCommand(calls.handOver, [of.name], { meta: { quiet: true } })
  const { data } = useCall(orderCalls.people, { query: { ProjectId: order.ProjectId }, of: ['user'] })
  return (
    <FormDialog<{ UserId: number; Desc?: string }>
      title={`${t('order.step.handOver')}: ${order.Title}`}
      okText={t('order.step.handOver')}
      sending={handOver}
      submit={({ UserId, Desc }) =>
        handOver.mutate({ body: { OrderId: order.Id, UserId, ...(Desc ? { Desc } : {}) } }, { onSuccess: close })
      }
      close={close}
    >
      <Form.Item name="UserId" label={t('order.whom')} rules={[{ required: true, message: t('fault.field.required') }]}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={(data?.People ?? []).map(({ Id, UserName }) => ({ value: Id, label: UserName }))}
        />
      </Form.Item>
      <Form.Item name="Desc" label={t('order.note')}>
        <Input.TextArea rows={3} maxLength={500} />
      </Form.Item>
    </FormDialog>
  )
}
export default HandOverDialog
