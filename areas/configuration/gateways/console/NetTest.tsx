import { Alert, Form, Input, InputNumber } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type Gateway, gatewayCalls } from '../contract.ts'

type Entered = { Ip: string; Port: number }

/** Asks the gateway whether it can connect to an address of its network. */
export const NetTest = ({ gateway, close }: { gateway: Gateway; close: () => void }) => {
  const t = useWords()
  const test = useCommand(gatewayCalls.netTest, ['command'], { meta: { quiet: true } })
  const code = test.data?.Code
  const verdict = code === 0 ? t('nettest.reached') : test.data?.Msg
  return (
    <FormDialog<Entered>
      title={t('nettest.title', { name: gateway.GatewayName })}
      okText={t('nettest.run')}
      cancelText={t('close')}
      start={{ Port: 502 }}
      sending={test}
      submit={(body) => test.mutate({ body: { Id: gateway.Id, ...body } })}
      close={close}
      below={test.data && <Alert type={code === 0 ? 'info' : 'error'} showIcon title={verdict} />}
    >
      <Form.Item
        name="Ip"
        label={t('netProtocol.Ip')}
        rules={[{ required: true, message: t('form.required', { field: t('netProtocol.Ip') }) }]}
      >
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item
        name="Port"
        label={t('netProtocol.Port')}
        rules={[{ required: true, message: t('form.required', { field: t('netProtocol.Port') }) }]}
      >
        <InputNumber min={1} max={65535} precision={0} controls={false} style={{ width: '100%' }} />
      </Form.Item>
    </FormDialog>
  )
}
