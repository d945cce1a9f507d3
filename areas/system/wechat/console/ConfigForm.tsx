import { SendOutlined } from '@ant-design/icons'
import { App, Button, Form } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { FieldInput } from '../../../../console/kernel/fields.tsx'
import { rules } from '../../../../console/kernel/form/rules.ts'
import { useMay } from '../../../../console/session/session.ts'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { type Config, type Method, methods } from '../../../../contract/channel-settings.ts'
import type { Field } from '../../../../contract/field.ts'
import { Outcome } from '../../message-templates/console/Outcome.tsx'
import { configCalls, wechatCalls } from '../contract.ts'
import { SecretInput } from './SecretInput.tsx'

type Values = Record<string, unknown>

/** One kind of settings of the tenant: its fields by section, and its secrets, which can be replaced but not read. */
export const ConfigForm = ({ of: c, test }: { of: Config; test?: Method }) => {
  const t = useWords()
  const { data, error, refetch } = useCall(configCalls[c.name]!.get, { of: [c.name] })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  return data ? <Filled key={c.name} of={c} held={data as Values} {...(test ? { test } : {})} /> : <p className="soft">{t('loading')}</p>
}

const Filled = ({ of: c, held, test }: { of: Config; held: Values; test?: Method }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const mayEdit = useMay('m10432.edit')
  const save = useCommand(configCalls[c.name]!.put, [c.name], { meta: { quiet: true } })
  const submit = (entered: Values) =>
    save.mutate(
      // An empty secret is one that stays.
      { body: Object.fromEntries(Object.entries(entered).filter(([k, v]) => !c.secrets.includes(k) || v !== undefined)) as never },
      {
        onSuccess: () => {
          form.setFieldsValue(Object.fromEntries(c.secrets.map((s) => [s, undefined])))
          message.success(t('tenant.saved'))
        },
        onError: ({ details }) => form.setFields(Object.entries(details.Fields ?? {}).map(([name, errors]) => ({ name, errors }))),
      },
    )
  const sections = [...Map.groupBy(Object.entries(c.fields), ([, f]) => f.section ?? '')]
  const item = (name: string, f: Field) => (
    <Form.Item
      key={name}
      name={name}
      label={t(`${c.name}.${name}`)}
      tooltip={hasWords(`help.${c.name}.${name}`) ? t(`help.${c.name}.${name}`) : undefined}
      rules={rules(f, `${c.name}.${name}`, false, t)}
    >
      <FieldInput field={f} name={`${c.name}.${name}`} />
    </Form.Item>
  )
  return (
    <Form<Values> form={form} layout="vertical" className="narrow" initialValues={held} disabled={!mayEdit} onFinish={submit}>
      {save.error && <Failure fault={save.error} />}
      {sections.map(([section, fields]) => (
        <fieldset key={section} className="form-section">
          {section && <legend>{t(`section.${section}`)}</legend>}
          {fields.map(([name, f]) => item(name, f))}
          {c.secrets
            .filter((s) => s.toLowerCase().startsWith(section))
            .map((s) => (
              <Form.Item key={s} name={s} label={t(`${c.name}.${s}`)}>
                <SecretInput held={held[`Has${s}`] === 1} />
              </Form.Item>
            ))}
          {mayEdit && methods.some((m) => m === section) && <TestButton method={section as Method} />}
        </fieldset>
      ))}
      <div className="button-row">
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          {t('save')}
        </Button>
        {mayEdit && test && <TestButton method={test} />}
      </div>
    </Form>
  )
}

/** Tries a channel as it is saved. */
export const TestButton = ({ method, robot }: { method: Method; robot?: number }) => {
  const t = useWords()
  const [sent, setSent] = useState<{ Id: number; Target: string }>()
  const test = useCommand(wechatCalls.test, ['almPushRecord'], { meta: { quiet: true } })
  return (
    <div className="stack-tight">
      <Button
        icon={<SendOutlined />}
        loading={test.isPending}
        onClick={() => test.mutate({ body: { Method: method, ...(robot ? { RobotId: robot } : {}) } }, { onSuccess: setSent })}
      >
        {t('channel.test')}
      </Button>
      {test.error && <Failure fault={test.error} />}
      {sent && !test.isPending && <Outcome key={sent.Id} of={sent} />}
    </div>
  )
}
