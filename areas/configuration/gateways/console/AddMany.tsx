import { App, Form, Input, Select } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { project } from '../../projects/contract.ts'
import { gatewayCalls, gatewayTypes, nameByRule } from '../contract.ts'

type Entered = { ProjectId: number; SNs: string; NameRule: string; GatewayTypeId: number }
/** Splits pasted serial numbers at line breaks, spaces, commas and semicolons. */
const numbersIn = (text = '') => text.split(/[\s,;]+/).filter(Boolean)

/** Adds a gateway for each serial number of a pasted list. */
const AddMany = ({ close }: { close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Entered>()
  const add = useCommand(gatewayCalls.batchAdd, ['gateway'], { meta: { quiet: true } })
  const SNs = numbersIn(Form.useWatch('SNs', form))
  const rule = Form.useWatch('NameRule', form) ?? ''
  const needed = (field: string) => [{ required: true, message: t('form.required', { field }) }]
  const faults = Object.entries(add.error?.details.Fields ?? {}).flatMap(([field, texts]) => {
    const place = /^SNs\.(\d+)$/.exec(field)
    return place ? [`${SNs[Number(place[1])] ?? ''}: ${texts[0]}`] : []
  })
  return (
    <FormDialog<Entered>
      title={t('gateway.addMany')}
      okText={t('gateway.addCount', { count: SNs.length })}
      form={form}
      start={{ NameRule: '{SN}', GatewayTypeId: 1 }}
      sending={add}
      refused={faults.length > 0 ? faults.slice(0, 5).map((text) => <div key={text}>{text}</div>) : undefined}
      submit={({ SNs: text, ...more }) =>
        add.mutate(
          { body: { ...more, SNs: numbersIn(text) } },
          {
            onSuccess: ({ Added }) => {
              message.success(t('gateway.addedCount', { count: Added }))
              close()
            },
          },
        )
      }
      close={close}
    >
      <Form.Item name="ProjectId" label={t('project')} rules={needed(t('project'))}>
        <RefInput to={project} />
      </Form.Item>
      <Form.Item name="SNs" label={t('gateway.SNs')} rules={needed(t('gateway.SNs'))} extra={t('gateway.SNs.help')}>
        <Input.TextArea rows={8} maxLength={40_000} className="mono" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="NameRule"
        label={t('gateway.nameRule')}
        rules={needed(t('gateway.nameRule'))}
        extra={t('gateway.nameRule.help', { SN: '{SN}', n: '{n}', example: nameByRule(rule, SNs[0] ?? 'A1B2C3D4', 1) })}
      >
        <Input maxLength={50} />
      </Form.Item>
      <Form.Item name="GatewayTypeId" label={t('gateway.GatewayTypeId')}>
        <Select options={gatewayTypes.map((value) => ({ value, label: t(`gateway.GatewayTypeId.${value}`) }))} />
      </Form.Item>
    </FormDialog>
  )
}
export default AddMany
