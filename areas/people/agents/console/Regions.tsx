import { Form, Switch } from 'antd'
import { type Shown, useCall, useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type agent, agentCalls } from '../contract.ts'
import { AreaInput } from './AreaInput.tsx'

type Agent = Shown<typeof agent>
type Entered = { AreaCodes: string[] | null; Exclusive: boolean }

/** Sales regions of an agent. */
const Regions = ({ row: of, close }: { row: Agent; close: () => void }) => {
  const t = useWords()
  const { data } = useCall(agentCalls.regions, { body: { AgentId: of.Id }, of: ['agent'] })
  const save = useCommand(agentCalls.setRegions, ['agent'], { meta: { quiet: true } })
  const submit = ({ AreaCodes, Exclusive }: Entered) =>
    save.mutate({ body: { AgentId: of.Id, AreaCodes: AreaCodes ?? [], Exclusive: Exclusive ? 1 : 0 } }, { onSuccess: close })
  if (!data) return
  return (
    <FormDialog<Entered>
      title={t('agent.regionsOf', { title: of.AgentName })}
      start={{ AreaCodes: data.map((r) => r.AreaCode), Exclusive: data.some((r) => r.Exclusive === 1) }}
      sending={save}
      submit={submit}
      close={close}
    >
      <Form.Item name="AreaCodes" label={t('agent.regions')}>
        <AreaInput multiple depth={2} />
      </Form.Item>
      <Form.Item name="Exclusive" label={t('agent.exclusive')} valuePropName="checked" tooltip={t('agent.exclusiveText')}>
        <Switch />
      </Form.Item>
    </FormDialog>
  )
}

export default Regions
