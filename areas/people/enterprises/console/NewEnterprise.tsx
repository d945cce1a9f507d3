import { Form, Input, Select } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { startSession } from '../../../../console/session/session.ts'
import { language, languages, lower, useWords } from '../../../../console/words/words.ts'
import type { Language } from '../../../../contract/languages.ts'
import { enterpriseCalls } from '../contract.ts'
import { OneTimePassword } from './OneTimePassword.tsx'

type Entered = { Name: string; TimeZoneKey: string; Language: Language; ManagerNO: string; ManagerName: string }
const zones = Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value }))

/** Creates a tenant with the account of its first manager, whose password is shown once. */
const NewEnterprise = ({ close }: { close: () => void }) => {
  const t = useWords()
  const [secret, setSecret] = useState<{ UserNO: string; OneTimePwd: string }>()
  const make = useCommand(enterpriseCalls.create, ['enterprise', 'user', 'role'], { meta: { quiet: true } })
  if (secret) return <OneTimePassword given={secret} close={close} />
  const needed = (name: keyof Entered, label: string, max: number) => (
    <Form.Item name={name} label={label} rules={[{ required: true, message: t('form.required', { field: label }) }]}>
      <Input maxLength={max} autoComplete="off" />
    </Form.Item>
  )
  return (
    <FormDialog<Entered>
      title={t('list.add', { thing: lower(t('enterprise')) })}
      start={{ TimeZoneKey: Intl.DateTimeFormat().resolvedOptions().timeZone, Language: language() }}
      sending={make}
      submit={(body) => make.mutate({ body }, { onSuccess: (made) => void startSession().then(() => setSecret(made)) })}
      close={close}
    >
      {needed('Name', t('enterprise.Name'), 60)}
      <Form.Item name="TimeZoneKey" label={t('enterprise.TimeZoneKey')}>
        <Select showSearch options={zones} />
      </Form.Item>
      <Form.Item name="Language" label={t('enterprise.Language')} tooltip={t('help.enterprise.Language.new')}>
        <Select options={Object.entries(languages).map(([value, label]) => ({ value, label }))} />
      </Form.Item>
      {needed('ManagerNO', t('tenant.managerNO'), 40)}
      {needed('ManagerName', t('tenant.managerName'), 50)}
    </FormDialog>
  )
}
export default NewEnterprise
