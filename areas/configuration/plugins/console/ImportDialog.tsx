import { Form, Input } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { CompanyChoice, useCompanyChoice } from '../../../../console/session/CompanyChoice.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type Package, pluginCalls, protocolPlugin } from '../contract.ts'

type Values = { PluginName: string; Text: string; Remark?: string }
const longest = 300_000

const packageOf = (text: string): Package | undefined => {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && 'Kind' in read ? (read as Package) : undefined
  } catch {
    return undefined
  }
}

/** Imports a file of a described protocol or a parser. The server reports errors by field. */
const ImportDialog = ({ close }: ToolProps) => {
  const t = useWords()
  const [form] = Form.useForm<Values>()
  const [wrong, setWrong] = useState<string>()
  const send = useCommand(pluginCalls.create, [protocolPlugin.name, 'selfParse', 'dataParse'], { meta: { quiet: true } })
  const company = useCompanyChoice(protocolPlugin, false)
  const submit = ({ PluginName, Text, Remark }: Values) => {
    const read = packageOf(Text)
    setWrong(read ? undefined : t('fault.field.notJson'))
    if (!read || company.isMissing) return
    const of = company.chosen === undefined ? {} : { EnterpriseId: company.chosen }
    send.mutate({ body: { PluginName, Package: read, Remark: Remark || null, ...of } }, { onSuccess: close })
  }
  const [name, text] = [t('protocolPlugin.PluginName'), t('protocolPlugin.package')]
  const take = async (file: File | undefined) => {
    if (!file) return
    const isTooLarge = file.size > longest
    setWrong(isTooLarge ? t('fault.field.maxLength', { max: longest }) : undefined)
    if (!isTooLarge) form.setFieldValue('Text', await file.text())
  }
  const wrongFields = Object.entries(send.error?.details.Fields ?? {}).filter(([field]) => field.startsWith('Package'))
  return (
    <FormDialog<Values> title={t('protocolPlugin.import')} form={form} start={{}} sending={send} submit={submit} close={close}>
      <CompanyChoice of={company} disabled={send.isPending} changed={() => undefined} />
      <Form.Item name="PluginName" label={name} rules={[{ required: true, message: t('form.required', { field: name }) }]}>
        <Input maxLength={50} autoComplete="off" />
      </Form.Item>
      <input
        type="file"
        accept=".json,application/json"
        aria-label={t('protocolPlugin.file')}
        onChange={(e) => take(e.target.files?.[0])}
      />
      <Form.Item
        name="Text"
        label={text}
        extra={t('protocolPlugin.packageHelp')}
        rules={[{ required: true, message: t('form.required', { field: text }) }]}
        {...(wrong ? { validateStatus: 'error' as const, help: wrong } : {})}
      >
        <Input.TextArea className="mono" maxLength={longest} autoSize={{ minRows: 6, maxRows: 16 }} spellCheck={false} />
      </Form.Item>
      {wrongFields.length > 0 && (
        <ul role="alert">
          {wrongFields.map(([field, messages]) => (
            <li key={field}>
              <code>{field.replace('Package.', '')}</code>: {messages.join(' ')}
            </li>
          ))}
        </ul>
      )}
      <Form.Item name="Remark" label={t('protocolPlugin.Remark')}>
        <Input maxLength={200} />
      </Form.Item>
    </FormDialog>
  )
}
export default ImportDialog
