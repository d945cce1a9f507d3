import { Alert, Form, Input, Modal, Segmented } from 'antd'
import { alarmCalls } from '../../../contract/areas/alarms.ts'
import { useCommand } from '../../resource/api.ts'
import { useWords } from '../../words/words.ts'
import type { Alarm } from './AlarmLevel.tsx'

/** Puts alarms aside: for how long, and why. */
export const ShelveDialog = ({ alarms, close }: { alarms: Alarm[]; close: () => void }) => {
  const t = useWords()
  const [form] = Form.useForm<{ Hours: number; Reason: string }>()
  const shelve = useCommand(alarmCalls.shelve, ['alarmInfo'], { meta: { quiet: true } })
  return (
    <Modal
      open
      title={alarms.length === 1 ? t('alarm.shelveOne', { name: alarms[0]!.RuleName }) : t('alarm.shelveTitle', { count: alarms.length })}
      okText={t('button.shelve')}
      cancelText={t('cancel')}
      confirmLoading={shelve.isPending}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ Hours: 1 }}
        onFinish={(values) => shelve.mutate({ body: { Ids: alarms.map((a) => a.Id), ...values } }, { onSuccess: close })}
      >
        {shelve.error && <Alert type="error" showIcon role="alert" title={shelve.error.message} className="form-summary" />}
        <Form.Item name="Hours" label={t('alarm.shelveHours')}>
          <Segmented
            block
            className="alarm-hours"
            options={[1, 2, 4, 8, 24].map((hours) => ({ value: hours, label: t('alarm.hours', { hours }) }))}
          />
        </Form.Item>
        <Form.Item
          name="Reason"
          label={t('alarm.shelveReason')}
          rules={[{ required: true, whitespace: true, message: t('alarm.reasonMissing') }]}
        >
          <Input.TextArea autoFocus maxLength={200} autoSize={{ minRows: 2 }} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
