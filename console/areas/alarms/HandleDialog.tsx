import { Alert, Form, Input, Modal } from 'antd'
import { alarmCalls } from '../../../contract/areas/alarms.ts'
import { useCommand } from '../../resource/api.ts'
import { useWords } from '../../words/words.ts'
import type { Alarm } from './AlarmLevel.tsx'

/** What was done about alarms. One that still stands stays in the active list (ruling 43). */
export const HandleDialog = ({ alarms, close }: { alarms: Alarm[]; close: () => void }) => {
  const t = useWords()
  const [form] = Form.useForm<{ HandleDesc: string }>()
  const handle = useCommand(alarmCalls.handle, ['alarmInfo'], { meta: { quiet: true } })
  const standing = alarms.filter((a) => a.IsActive).length
  return (
    <Modal
      open
      title={alarms.length === 1 ? t('alarm.handleOne', { name: alarms[0]!.RuleName }) : t('alarm.handleMany', { count: alarms.length })}
      okText={t('button.handle')}
      cancelText={t('cancel')}
      confirmLoading={handle.isPending}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={({ HandleDesc }) => handle.mutate({ body: { Ids: alarms.map((a) => a.Id), HandleDesc } }, { onSuccess: close })}
      >
        {handle.error && <Alert type="error" showIcon role="alert" title={handle.error.message} className="form-summary" />}
        {standing > 0 && <Alert type="warning" showIcon title={t('alarm.stillStanding', { count: standing })} className="form-summary" />}
        <Form.Item
          name="HandleDesc"
          label={t('alarmInfo.HandleDesc')}
          rules={[{ required: true, whitespace: true, message: t('alarm.handleMissing') }]}
        >
          <Input.TextArea autoFocus maxLength={500} showCount autoSize={{ minRows: 3, maxRows: 8 }} placeholder={t('alarm.handleHint')} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
