import { Alert, Form, Input, Select } from 'antd'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmCalls } from '../contract.ts'
import type { Alarm } from './AlarmLevel.tsx'
import { PlanText } from './PlanText.tsx'

type Handled = { HandleDesc: string; FaultCodeId?: number | null; AlmPlanId?: number | null }

/** Handles alarms with a note, fault code and plan. A handled alarm that is still active stays in the active list (ruling 43). */
export const HandleDialog = ({ alarms, close }: { alarms: Alarm[]; close: () => void }) => {
  const t = useWords()
  const [form] = Form.useForm<Handled>()
  const handle = useCommand(alarmCalls.handleAndPlan, ['alarmInfo'], { meta: { quiet: true } })
  const { data } = useCall(alarmCalls.choices, { query: { Id: alarms[0]!.Id }, of: ['alarmCode', 'alarmPlan'] })
  const plan = Form.useWatch('AlmPlanId', form)
  const standing = alarms.filter((a) => a.IsActive).length
  const select = (options: { value: number; label: string }[], name: 'FaultCodeId' | 'AlmPlanId') => (
    <Select<number | null>
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('alarm.noneChosen')}
      options={options}
      onChange={(id) => {
        const brought = name === 'FaultCodeId' && data?.Codes.find((c) => c.Id === id)?.AlmPlanId
        if (brought) form.setFieldValue('AlmPlanId', brought)
      }}
    />
  )
  return (
    <FormDialog
      title={alarms.length === 1 ? t('alarm.handleOne', { name: alarms[0]!.RuleName }) : t('alarm.handleMany', { count: alarms.length })}
      okText={t('button.handle')}
      form={form}
      start={{ AlmPlanId: alarms.length === 1 ? alarms[0]!.AlmPlanId : null }}
      sending={handle}
      submit={({ HandleDesc, FaultCodeId = null, AlmPlanId = null }) =>
        handle.mutate({ body: { Ids: alarms.map((a) => a.Id), HandleDesc, FaultCodeId, AlmPlanId } }, { onSuccess: close })
      }
      close={close}
    >
      {standing > 0 && <Alert type="warning" showIcon title={t('alarm.stillStanding', { count: standing })} className="form-summary" />}
      <Form.Item
        name="HandleDesc"
        label={t('alarmInfo.HandleDesc')}
        rules={[{ required: true, whitespace: true, message: t('alarm.handleMissing') }]}
      >
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 3, maxRows: 8 }} placeholder={t('alarm.handleHint')} />
      </Form.Item>
      {data && data.Codes.length > 0 && (
        <Form.Item name="FaultCodeId" label={t('alarmInfo.FaultCodeId')}>
          {select(
            data.Codes.map((c) => ({ value: c.Id, label: `${c.Code} ${c.Name}` })),
            'FaultCodeId',
          )}
        </Form.Item>
      )}
      {data && data.Plans.length > 0 && (
        <Form.Item name="AlmPlanId" label={t('alarmInfo.AlmPlanId')}>
          {select(
            data.Plans.map((p) => ({ value: p.Id, label: p.PlanName })),
            'AlmPlanId',
          )}
        </Form.Item>
      )}
      {plan && <PlanText id={plan} />}
    </FormDialog>
  )
}
