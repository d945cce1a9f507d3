import { App, Form, Radio } from 'antd'
import { useState } from 'react'
import { useSave } from '../../../../console/kernel/api.ts'
import { FieldInput } from '../../../../console/kernel/fields.tsx'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMayCode } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { project } from '../../projects/contract.ts'
import { mostTargets, projectTask, taskKind, taskRight } from '../contract.ts'

type Kind = keyof typeof taskKind
type Entered = Record<string, unknown> & { GatewayIds?: number[]; DeviceIds?: number[]; ModelId?: number; ProjectId?: number }
const more = {
  push: ['StopAfter', 'PlannedTime', 'UntilTime'],
  apply: ['ModelId', 'RemoveGone', 'StopAfter', 'PlannedTime'],
  check: ['PlannedTime'],
} as const
const help = { push: 'task.stopAfter.help', apply: undefined, check: 'task.check.help' } as const
const kinds = Object.keys(taskKind) as Kind[]

/** Starts a task for gateways or devices. */
export const AddTask = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const { message } = App.useApp()
  const may = useMayCode()
  const allowed = kinds.filter((k) => may(taskRight[taskKind[k]]))
  const [kind, setKind] = useState<Kind>(allowed[0] ?? 'check')
  const [form] = Form.useForm<Entered>()
  const save = useSave(projectTask)
  const [field, to, label] =
    kind === 'push' ? (['GatewayIds', gateway, 'task.gateways'] as const) : (['DeviceIds', device, 'task.devices'] as const)
  const needed = (name: string) => [{ required: true, message: t('form.required', { field: name }) }]
  const ofProject = Boolean(Form.useWatch('ProjectId', form)) && kind !== 'push'
  const submit = ({ ProjectId, ...values }: Entered) => {
    const name = t(`projectTask.Kind.${taskKind[kind]}`)
    const TaskName = ProjectId ? name : t('task.name', { kind: name, count: values[field]?.length ?? 0 })
    const ofKind = { ...(kind === 'check' && { StopAfter: mostTargets }), ...(ProjectId && { ProjectId }) }
    save.mutate({ TaskName, Kind: taskKind[kind], ...ofKind, ...values } as never, {
      onSuccess: () => {
        message.success(t('task.started'))
        close()
      },
    })
  }
  return (
    <FormDialog<Entered>
      title={t('task.add')}
      okText={t('task.start')}
      form={form}
      start={{ StopAfter: 1, RemoveGone: 0 }}
      sending={save}
      submit={submit}
      close={close}
    >
      <Form.Item label={t('projectTask.Kind')} extra={help[kind] && t(help[kind])}>
        <Radio.Group
          value={kind}
          onChange={(e) => setKind(e.target.value)}
          options={allowed.map((k) => ({ value: k, label: t(`projectTask.Kind.${taskKind[k]}`) }))}
        />
      </Form.Item>
      {kind !== 'push' && (
        <Form.Item name="ProjectId" label={t('task.project')}>
          <RefInput to={project} where={{ EnterpriseId: tenant }} allowClear />
        </Form.Item>
      )}
      {!ofProject && (
        <Form.Item name={field} label={t(label)} rules={needed(t(label))}>
          <RefsInput to={to} where={{ EnterpriseId: tenant }} />
        </Form.Item>
      )}
      {more[kind].map((name) => {
        const title = t(`projectTask.${name}`)
        const required = name === 'ModelId' || name === 'StopAfter'
        return (
          <Form.Item key={name} name={name} label={title} rules={required ? needed(title) : []}>
            <FieldInput field={projectTask.fields[name]} name={`projectTask.${name}`} where={{ EnterpriseId: tenant }} />
          </Form.Item>
        )
      })}
    </FormDialog>
  )
}
