import './orders.css'
import { App, Form, Input, Select } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { orderCalls } from '../contract.ts'
import { WhomSelect, whomOf } from './WhomSelect.tsx'

type Values = { Title: string; Urgency: 1 | 2 | 3; FaultDesc?: string; Whom?: string }
type Alarm = { Id: number; RuleName: string; AlarmLevel: number; AlarmDesc: string | null; ProjectId: number | null }

/** Opens an order for an alarm, with the fields filled in from the alarm. */
const OpenOrder = ({ alarm, close }: { alarm: Alarm; close: () => void }) => {
  const t = useWords()
  const go = useGo()
  const { message } = App.useApp()
  const mayAssign = useMay('m10602.dispatch')
  const open = useCommand(orderCalls.fromAlarm, ['alarmInfo', 'mtnMaintenanceOrder'], { meta: { quiet: true } })
  const start = { Title: alarm.RuleName.slice(0, 60), Urgency: alarm.AlarmLevel as 1, FaultDesc: alarm.AlarmDesc ?? '' }
  const submit = ({ Whom, FaultDesc, ...values }: Values) =>
    open.mutate(
      { body: { AlmInfoId: alarm.Id, ...values, ...(FaultDesc ? { FaultDesc } : {}), ...whomOf(Whom) } },
      {
        onSuccess: ({ Id, OrderNo }) => {
          message.success(t('order.opened', { order: OrderNo }))
          close()
          go(`/maintenanceCenter/repair/repairOrder?Id=${Id}`)
        },
      },
    )
  return (
    <FormDialog<Values>
      title={t('order.openTitle', { name: alarm.RuleName })}
      okText={t('order.open')}
      start={start}
      sending={open}
      submit={submit}
      close={close}
    >
      <p className="soft">{t('order.openHelp')}</p>
      <Form.Item
        name="Title"
        label={t('mtnMaintenanceOrder.Title')}
        rules={[{ required: true, whitespace: true, message: t('fault.field.required') }]}
      >
        <Input maxLength={60} />
      </Form.Item>
      <Form.Item name="Urgency" label={t('mtnMaintenanceOrder.Urgency')}>
        <Select options={[1, 2, 3].map((value) => ({ value, label: t(`mtnMaintenanceOrder.Urgency.${value}`) }))} />
      </Form.Item>
      {mayAssign && (
        <Form.Item name="Whom" label={t('order.whom')}>
          <WhomSelect of={{ ProjectId: alarm.ProjectId ?? undefined }} />
        </Form.Item>
      )}
      <Form.Item name="FaultDesc" label={t('mtnMaintenanceOrder.FaultDesc')}>
        <Input.TextArea maxLength={500} autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
    </FormDialog>
  )
}
export default OpenOrder
