import { Form, Input } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { agent, agentCalls, snAgent } from '../contract.ts'
import { AreaInput } from './AreaInput.tsx'

type Entered = { List: string; AgentId: number; AreaCodes: string[] | null; OutNo?: string }
/** Splits scanner input at line breaks, blanks and commas. */
const serials = (text = '') => text.split(/[\s,;，；]+/).filter(Boolean)

/** Ships a list of serial numbers, all or none. Errors are shown by line. */
export const ShipDialog = ({ close }: { close: () => void }) => {
  const t = useWords()
  const [form] = Form.useForm<Entered>()
  const ship = useCommand(agentCalls.outbound, ['snAgent', 'snAgentLog'], { meta: { quiet: true } })
  const list = serials(Form.useWatch('List', form))
  const wrong = Object.entries(ship.error?.details.Fields ?? {}).map(([name, texts]) => {
    const at = Number(/^SNs\.(\d+)$/.exec(name)?.[1] ?? -1)
    return `${ship.variables?.body?.SNs[at] ?? t(`snAgent.${name.split('.')[0]}`)}: ${texts.join(' ')}`
  })
  const submit = ({ List, AgentId, AreaCodes, OutNo }: Entered) =>
    ship.mutate(
      { body: { SNs: serials(List), AgentId, ...(AreaCodes?.length ? { AreaCodes } : {}), ...(OutNo ? { OutNo } : {}) } },
      { onSuccess: close },
    )
  const required = (name: string) => [{ required: true, message: t('form.required', { field: name }) }]
  return (
    <FormDialog
      title={t('agent.ship')}
      okText={t('agent.shipCount', { count: list.length })}
      form={form}
      requiredMark
      sending={ship}
      submit={submit}
      close={close}
      refused={wrong.length > 0 && wrong.slice(0, 20).map((line) => <div key={line}>{line}</div>)}
    >
      <Form.Item
        name="List"
        label={t('agent.serials')}
        rules={required(t('agent.serials'))}
        extra={t('agent.serialsHint', { count: list.length, twice: list.length - new Set(list).size })}
      >
        <Input.TextArea rows={6} spellCheck={false} className="mono" />
      </Form.Item>
      <Form.Item name="AgentId" label={t('agent')} rules={required(t('agent'))}>
        <RefInput to={agent as never} allowClear={false} />
      </Form.Item>
      <Form.Item name="AreaCodes" label={t('snAgent.AreaCodes')} tooltip={t('agent.areasHint')}>
        <AreaInput multiple depth={2} />
      </Form.Item>
      <Form.Item name="OutNo" label={t('snAgent.OutNo')}>
        <Input maxLength={snAgent.fields.OutNo.max} />
      </Form.Item>
    </FormDialog>
  )
}
