import { EnvironmentOutlined } from '@ant-design/icons'
import { Alert, Form, Modal, Switch } from 'antd'
import { useState } from 'react'
import { agent, agentCalls } from '../../../contract/areas/agents.ts'
import { Page } from '../../app/Page.tsx'
import { type Shown, useCall, useCommand } from '../../resource/api.ts'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useMay } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'
import { AreaInput } from './AreaInput.tsx'
import { AreaMap } from './AreaMap.tsx'

type Agent = Shown<typeof agent>
type Entered = { AreaCodes: string[] | null; Exclusive: boolean }

const Regions = ({ of, close }: { of: Agent; close: () => void }) => {
  const t = useWords()
  const [form] = Form.useForm<Entered>()
  const { data } = useCall(agentCalls.regions, { body: { AgentId: of.Id }, of: ['agent'] })
  const save = useCommand(agentCalls.setRegions, ['agent'], { meta: { quiet: true } })
  const submit = ({ AreaCodes, Exclusive }: Entered) =>
    save.mutate({ body: { AgentId: of.Id, AreaCodes: AreaCodes ?? [], Exclusive: Exclusive ? 1 : 0 } }, { onSuccess: close })
  return (
    <Modal
      open
      title={t('agent.regionsOf', { title: of.AgentName })}
      okText={t('save')}
      cancelText={t('cancel')}
      confirmLoading={save.isPending}
      onCancel={close}
      onOk={() => form.submit()}
    >
      {save.error && <Alert type="error" showIcon role="alert" className="form-summary" title={save.error.message} />}
      {data && (
        <Form<Entered>
          form={form}
          layout="vertical"
          initialValues={{ AreaCodes: data.map((r) => r.AreaCode), Exclusive: data.some((r) => r.Exclusive === 1) }}
          onFinish={submit}
        >
          <Form.Item name="AreaCodes" label={t('agent.regions')}>
            <AreaInput multiple depth={2} />
          </Form.Item>
          <Form.Item name="Exclusive" label={t('agent.exclusive')} valuePropName="checked" tooltip={t('agent.exclusiveText')}>
            <Switch />
          </Form.Item>
        </Form>
      )}
    </Modal>
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
