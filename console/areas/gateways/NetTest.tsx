import { Alert, Form, Input, InputNumber, Modal } from 'antd'
import { gatewayCalls } from '../../../contract/areas/gateways.ts'
import { useCommand } from '../../resource/api.ts'
import { useWords } from '../../words/words.ts'
import type { Gateway } from './states.tsx'

type Entered = { Ip: string; Port: number }

/** Asks the gateway whether it reaches an address from where it stands. */
export const NetTest = ({ gateway, close }: { gateway: Gateway; close: () => void }) => {
  const t = useWords()
  const [form] = Form.useForm<Entered>()
  const test = useCommand(gatewayCalls.netTest, ['command'], { meta: { quiet: true } })
  const code = test.data?.Code
  const verdict = code === 0 ? t('nettest.reached') : test.data?.Msg
  return (
    <Modal
      open
      title={t('nettest.title', { name: gateway.GatewayName })}
      okText={t('nettest.run')}
      cancelText={t('close')}
      confirmLoading={test.isPending}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ Port: 502 }}
        onFinish={(body) => test.mutate({ body: { Id: gateway.Id, ...body } })}
      >
        <Form.Item
          name="Ip"
          label={t('netProtocol.Ip')}
          rules={[{ required: true, message: t('form.required', { field: t('netProtocol.Ip') }) }]}
        >
          <Input maxLength={64} autoFocus onPressEnter={() => form.submit()} />
        </Form.Item>
        <Form.Item
          name="Port"
          label={t('netProtocol.Port')}
          rules={[{ required: true, message: t('form.required', { field: t('netProtocol.Port') }) }]}
        >
          <InputNumber min={1} max={65535} precision={0} controls={false} style={{ width: '100%' }} onPressEnter={() => form.submit()} />
        </Form.Item>
      </Form>
      {test.error && <Alert type="error" showIcon title={test.error.message} role="alert" />}
      {test.data && <Alert type={code === 0 ? 'info' : 'error'} showIcon title={verdict} />}
    </Modal>
  )
}
