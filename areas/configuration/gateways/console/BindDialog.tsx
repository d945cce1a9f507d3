import { Alert, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { project } from '../../projects/contract.ts'
import { gatewayCalls } from '../contract.ts'
import { FirstKey } from './Enrolment.tsx'
import { LabelFields } from './LabelFields.tsx'
import { type Label, takeLabel } from './label.ts'

type Entered = Label & { ProjectId: number; GatewayName?: string }

const BindForm = ({ close }: { close: () => void }) => {
  const t = useWords()
  const go = useGo()
  const mayKey = useMay('m10102.resetKey')
  const [label] = useState(takeLabel)
  const bind = useCommand(label ? gatewayCalls.bindByPhone : gatewayCalls.bind, ['gateway', 'gatewaySn'], { meta: { quiet: true } })
  const [bound, setBound] = useState<number>()
  const leave = (Id: number) => go(`/projectManagement/gatewayPreView?Id=${Id}`)
  if (bound) return <FirstKey row={{ Id: bound }} close={() => leave(bound)} />
  return (
    <FormDialog<Entered>
      title={t('gateway.bind')}
      okText={t('button.bind')}
      start={label ?? {}}
      sending={bind}
      submit={({ GatewayName, ...body }) =>
        bind.mutate(
          { body: { ...body, ...(GatewayName ? { GatewayName } : {}) } },
          { onSuccess: ({ Id }) => (mayKey ? setBound(Id) : leave(Id)) },
        )
      }
      close={close}
    >
      <div className="form-summary">
        <p className="soft">{t('gateway.bind.text')}</p>
      </div>
      <LabelFields needed />
      <Form.Item name="ProjectId" label={t('project')} rules={[{ required: true, message: t('form.required', { field: t('project') }) }]}>
        <RefInput to={project} />
      </Form.Item>
      <Form.Item name="GatewayName" label={t('gateway.GatewayName')} extra={t('gateway.bind.name')}>
        <Input maxLength={50} />
      </Form.Item>
    </FormDialog>
  )
}

/** Takes a gateway out of a stock by the serial number and code on its label. A label's link fills them in. */
export const BindDialog = ({ close }: { close: () => void }) => {
  const t = useWords()
  if (useMay('m10102.bind')) return <BindForm close={close} />
  return (
    <Modal open title={t('gateway.bind')} onCancel={close} footer={null}>
      <Alert type="warning" showIcon title={t('gateway.bind.may')} />
    </Modal>
  )
}
