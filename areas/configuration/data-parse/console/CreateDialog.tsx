import './dataParse.css'
import { Form, Input, Select } from 'antd'
import { useCall, useSave } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { CompanyChoice, useCompanyChoice } from '../../../../console/session/CompanyChoice.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { dataParse, dataParseCalls } from '../contract.ts'

type Values = { ParseName: string; Template: string }

/** A new parser starts from a working template for the nearest message format. */
const CreateDialog = ({ close }: ToolProps) => {
  const t = useWords()
  const go = useGo()
  const [form] = Form.useForm<Values>()
  const save = useSave(dataParse)
  const company = useCompanyChoice(dataParse, false)
  const { data, error, refetch } = useCall(dataParseCalls.templates)
  const templates = data?.Items ?? []
  const chosen = Form.useWatch('Template', form) ?? 'flat'
  const template = templates.find(({ Name }) => Name === chosen)
  const submit = async ({ ParseName, Template }: Values) => {
    if (company.isMissing) return
    // Users may save before the templates have loaded.
    const template = (data ?? (await refetch()).data)?.Items.find(({ Name }) => Name === Template)
    if (!template) return
    const { Mapping, Script, Sample, Topic } = template
    const reader = Script === null ? { Mapping: [...(Mapping ?? [])] } : { Kind: 2 as const, Input: 2 as const, Script }
    const of = company.chosen === undefined ? {} : { EnterpriseId: company.chosen }
    save.mutate(
      { ParseName, ...reader, Sample, Topic: Topic || null, ...of },
      {
        onSuccess: ({ Id }) => {
          close()
          go(`/protocolManagement/dataParse?Id=${Id}`)
        },
      },
    )
  }
  const name = t('dataParse.ParseName')
  return (
    <FormDialog<Values>
      title={t('dataParse.new')}
      form={form}
      start={{ Template: 'flat' }}
      sending={{ isPending: save.isPending, error: save.error ?? error }}
      submit={submit}
      close={close}
    >
      <CompanyChoice of={company} disabled={save.isPending} changed={() => undefined} />
      <Form.Item name="ParseName" label={name} rules={[{ required: true, message: t('form.required', { field: name }) }]}>
        <Input maxLength={50} autoComplete="off" />
      </Form.Item>
      <Form.Item name="Template" label={t('dataParse.template')}>
        <Select options={templates.map(({ Name, Title }) => ({ value: Name, label: Title }))} loading={!data} />
      </Form.Item>
      {template && (
        <>
          {template.Topic && (
            <p className="soft">
              {t('dataParse.Topic')}: <code>{template.Topic}</code>
            </p>
          )}
          <pre className="parse-sample">{template.Sample}</pre>
        </>
      )}
    </FormDialog>
  )
}
export default CreateDialog
