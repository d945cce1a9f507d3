import { Alert, Form, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { enterpriseCalls } from '../../../contract/areas/enterprises.ts'
import { useCommand } from '../../resource/api.ts'
import { lower, useWords } from '../../words/words.ts'
import { OneTimePassword } from './OneTimePassword.tsx'

type Entered = { Name: string; TimeZoneKey: string; ManagerNO: string; ManagerName: string }
const zones = Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value }))

/** A tenant and the account of its first manager, whose password is shown once. */
export const NewEnterprise = ({ close }: { close: () => void }) => {
  const t = useWords()
  const [form] = Form.useForm<Entered>()
  const [secret, setSecret] = useState<{ UserNO: string; OneTimePwd: string }>()
  const make = useCommand(enterpriseCalls.create, ['enterprise', 'user', 'role'], { meta: { quiet: true } })
  const submit = (body: Entered) =>
    make.mutate(
      { body },
      {
        onSuccess: setSecret,
        onError: ({ details }) =>
          form.setFields(Object.entries(details.Fields ?? {}).map(([name, errors]) => ({ name: name as keyof Entered, errors }))),
      },
    )
  if (secret) return <OneTimePassword given={secret} close={close} />
  const needed = (name: keyof Entered, label: string, max: number) => (
    <Form.Item name={name} label={label} rules={[{ required: true, message: t('form.required', { field: label }) }]}>
      <Input maxLength={max} autoComplete="off" />
    </Form.Item>
  )
  return (
    <Modal
      open
      title={t('list.add', { thing: lower(t('enterprise')) })}
      okText={t('save')}
      cancelText={t('cancel')}
      confirmLoading={make.isPending}
      onCancel={close}
      onOk={() => form.submit()}
    >
      <Form<Entered>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ TimeZoneKey: Intl.DateTimeFormat().resolvedOptions().timeZone }}
        onFinish={submit}
      >
        {make.error && <Alert type="error" showIcon title={make.error.message} role="alert" className="form-summary" />}
        {needed('Name', t('enterprise.Name'), 60)}
        <Form.Item name="TimeZoneKey" label={t('enterprise.TimeZoneKey')}>
          <Select showSearch options={zones} />
        </Form.Item>
        {needed('ManagerNO', t('tenant.managerNO'), 40)}
        {needed('ManagerName', t('tenant.managerName'), 50)}
      </Form>
    </Modal>
  )
}
