import { App, Checkbox, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { clientKey } from '../../../../console/kernel/clientKey.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useUser } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { mtnCheckOrder } from '../../patrols/contract.ts'
import { mtnUpKeepOrder } from '../../upkeep/contract.ts'
import { mostHandedOver, orderCalls } from '../contract.ts'

export type ShiftOrder = { Id: number; OrderNo: string; Title: string; ProjectId: number }
const changes = ['mtnMaintenanceOrder', mtnUpKeepOrder.name, mtnCheckOrder.name]

/** Hands all open orders of a person (repairs, upkeep and rounds) to another person with one note. */
const ShiftDialog = ({ orders, close }: { orders: readonly ShiftOrder[]; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const me = useUser()?.Id
  const [ClientKey] = useState(clientKey)
  const [left, leave] = useState<readonly number[]>([])
  const handOver = useCommand(orderCalls.handOver, changes, { meta: { quiet: true } })
  const { data } = useCall(orderCalls.people, { query: { ProjectId: orders[0]!.ProjectId }, of: ['user'] })
  const given = orders.slice(0, mostHandedOver)
  const OrderIds = given.flatMap(({ Id }) => (left.includes(Id) ? [] : [Id]))
  const people = (data?.People ?? []).filter(({ Id }) => Id !== me)
  return (
    <FormDialog<{ UserId: number; Desc?: string }>
      title={t('order.shift')}
      okText={t('order.step.handOver')}
      sending={handOver}
      submit={({ UserId, Desc }) =>
        handOver.mutate(
          { body: { OrderIds, UserId, ClientKey, ...(Desc ? { Desc } : {}) } },
          {
            onSuccess: ({ Changed }) => {
              void message.success(t('order.shiftDone', { count: Changed }))
              close()
            },
          },
        )
      }
      close={close}
    >
      <ul className="order-shift">
        {given.map(({ Id, OrderNo, Title }) => (
          <li key={Id}>
            <Checkbox
              checked={!left.includes(Id)}
              disabled={OrderIds.length === 1 && OrderIds[0] === Id}
              onChange={({ target }) => leave(target.checked ? left.filter((id) => id !== Id) : [...left, Id])}
            >
              {Title} <span className="soft">{OrderNo}</span>
            </Checkbox>
          </li>
        ))}
      </ul>
      <Form.Item name="UserId" label={t('order.whom')} rules={[{ required: true, message: t('fault.field.required') }]}>
        <Select
          size="large"
          showSearch={{ optionFilterProp: 'label' }}
          options={people.map(({ Id, UserName }) => ({ value: Id, label: UserName }))}
        />
      </Form.Item>
      <Form.Item name="Desc" label={t('order.shiftNote')}>
        <Input.TextArea rows={3} maxLength={500} />
      </Form.Item>
    </FormDialog>
  )
}
export default ShiftDialog
