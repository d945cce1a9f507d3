import { Alert, App, Form, InputNumber, Modal } from 'antd'
import { type MachineLimits, monitoringCalls } from '../../../contract/areas/monitoring.ts'
import { useCommand } from '../../resource/api.ts'
import { useWords } from '../../words/words.ts'

const fields = [
  ['Cpu', '%', 100],
  ['Memory', '%', 100],
  ['Disk', '%', 100],
  ['Minutes', 'min', 1440],
] as const

/** From when on those who run the installation get a notice. */
export const LimitsDialog = ({ limits, close }: { limits: MachineLimits; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<MachineLimits>()
  const save = useCommand(monitoringCalls.setLimits, [], { meta: { quiet: true } })
  const submit = (body: MachineLimits) =>
    save.mutate(
      { body },
      {
        onSuccess: () => {
          message.success(t('monitor.saved'))
          close()
        },
      },
    )
  return (
    <Modal
      open
      title={t('monitor.limits')}
      okText={t('save')}
      cancelText={t('cancel')}
      confirmLoading={save.isPending}
      onCancel={close}
      onOk={() => form.submit()}
    >
      <p className="soft">{t('monitor.limitsHelp')}</p>
      <Form<MachineLimits> form={form} layout="vertical" requiredMark={false} initialValues={limits} onFinish={submit}>
        {save.error && <Alert type="error" showIcon title={save.error.message} role="alert" className="form-summary" />}
        {fields.map(([name, unit, max]) => (
          <Form.Item
            key={name}
            name={name}
            label={t(`machineLimits.${name}`)}
            rules={[{ required: true, message: t('form.required', { field: t(`machineLimits.${name}`) }) }]}
          >
            <InputNumber min={1} max={max} precision={0} suffix={unit} controls={false} style={{ width: '100%' }} />
          </Form.Item>
        ))}
      </Form>
    </Modal>
  )
}
