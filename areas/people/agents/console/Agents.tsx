import { EnvironmentOutlined } from '@ant-design/icons'
import { Form, Switch } from 'antd'
import { useState } from 'react'
import { type Shown, useCall, useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { agent, agentCalls } from '../contract.ts'
import { AreaInput } from './AreaInput.tsx'
import { AreaMap } from './AreaMap.tsx'

type Agent = Shown<typeof agent>
type Entered = { AreaCodes: string[] | null; Exclusive: boolean }

const Regions = ({ of, close }: { of: Agent; close: () => void }) => {
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

/** Agents and the regions they sell in. */
const Agents = () => {
  const t = useWords()
  const mayEdit = useMay('m10434.edit')
  const [choosing, setChoosing] = useState<Agent>()
  return (
    <Page title={t('menu.m10434')}>
      <ResourceList
        of={agent}
        columns={['AgentName', 'AgentNo', 'Level', 'ParentAgentId', 'Contact', 'Phone', 'Enabled']}
        actions={(row) =>
          mayEdit ? [{ key: 'regions', label: t('agent.regions'), icon: <EnvironmentOutlined />, run: () => setChoosing(row) }] : []
        }
      />
      <AreaMap />
      {choosing && <Regions of={choosing} close={() => setChoosing(undefined)} />}
    </Page>
  )
}
export default Agents
