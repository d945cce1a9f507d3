import './selfParse.css'
import { Form, Input, Select } from 'antd'
import { useSave } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { CompanyChoice, useCompanyChoice } from '../../../../console/session/CompanyChoice.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { descriptionTemplates } from '../../../../contract/described/templates.ts'
import { selfParse } from '../contract.ts'

type Values = { CustomName: string; Template: string }

/** Adds a description, starting from a working one for the most similar frames. */
const CreateDialog = ({ close }: ToolProps) => {
  const t = useWords()
  const go = useGo()
  const [form] = Form.useForm<Values>()
  const save = useSave(selfParse)
  const company = useCompanyChoice(selfParse, false)
  const chosen = Form.useWatch('Template', form) ?? descriptionTemplates[0]!.Name
  const template = descriptionTemplates.find(({ Name }) => Name === chosen)!
  const submit = ({ CustomName }: Values) => {
    if (company.isMissing) return
    const { Frame, Requests, Sample } = template
    const of = company.chosen === undefined ? {} : { EnterpriseId: company.chosen }
    save.mutate(
      { CustomName, Frame, Requests: [...Requests], Sample, ...of },
      {
        onSuccess: ({ Id }) => {
          close()
          go(`/protocolManagement/selfParse?Id=${Id}`)
        },
      },
    )
  }
  const name = t('selfParse.CustomName')
  return (
    <FormDialog<Values>
      title={t('selfParse.new')}
      form={form}
      start={{ Template: descriptionTemplates[0]!.Name }}
      sending={save}
      submit={submit}
      close={close}
    >
      <CompanyChoice of={company} disabled={save.isPending} changed={() => undefined} />
      <Form.Item name="CustomName" label={name} rules={[{ required: true, message: t('form.required', { field: name }) }]}>
        <Input maxLength={50} autoComplete="off" />
      </Form.Item>
      <Form.Item name="Template" label={t('selfParse.template')}>
        <Select options={descriptionTemplates.map(({ Name }) => ({ value: Name, label: t(`selfParseTemplate.${Name}`) }))} />
      </Form.Item>
      <pre className="frame-hex">{[template.Requests[0]!.Send, template.Requests[0]!.Answer].join('\n')}</pre>
    </FormDialog>
  )
}
export default CreateDialog
